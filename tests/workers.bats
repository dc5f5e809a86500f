#!/usr/bin/env bats
# topics: many-clients threads cq
# workers: see course.md's promise in each test's name.
load lib
load ping
load waiting
load many
program=workers

@test "workers: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "workers: over IPv6" { exchanges_over_ipv6; }
@test "workers: binds to the address that it is told" { binds_to_one_address; }
@test "workers: a port that is taken" { port_is_taken; }
@test "workers: no server" { no_server; }
@test "workers: no such host" { no_such_host; }
@test "workers: a wrong byte is caught" { catches_a_wrong_byte; }
@test "workers: another version is refused, and both say so" { refuses_another_version; }
@test "workers: a wild size is refused" { refuses_a_wild_size; }
@test "workers: the server is killed" { server_is_killed; }
@test "workers: the client is killed" { client_is_killed; }
@test "workers: the client is interrupted" { client_is_interrupted; }
@test "workers: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "workers: the server freezes" { server_freezes; }
@test "workers: sixteen clients at once" { serves_many 16; }
@test "workers: sixteen clients, one is killed, the others finish" { one_is_killed; }
@test "workers: one client freezes, the others finish" { one_freezes; }
@test "workers: one client is refused, the next is served" { one_is_refused; }
@test "workers: a client too many finds nobody" { one_too_many; }
@test "workers: interrupted with clients, it ends with them" { interrupted_with_clients; }
@test "workers: a client of ping-event is served" { a_plain_ping_is_served; }

@test "workers: as many threads as it is told, whatever the number of clients" {
    start_server workers --clients 9 --workers 3 --timeout 20
    start_clients 8 --count 10000000 --timeout 20
    wait_for $PATIENCE are_connected 8
    [ "$(threads)" = 4 ] # and the front desk
    lab/job kill -s INT "$server"
    ends "$server" 1
}

@test "workers: clients are dealt out in turn, and no message is counted twice" {
    start_server workers --clients 4 --workers 2 --timeout 20
    start_clients 4 --count 25 --verify --timeout 20
    ends "$server" 0
    has_said "$server" "worker 0: 50 messages"
    has_said "$server" "worker 1: 50 messages"
}

@test "workers: a completion queue for each worker" {
    start_traced_server workers --clients 4 --workers 2
    start_clients 4 --count 3
    ends "$server" 0
    [ "$(served 'ibv_create_cq\(')" = 2 ]
    [ "$(served 'rdma_create_qp\(')" = 4 ]
    [ "$(served 'rdma_create_event_channel\(')" = 1 ]
}

@test "workers: clients come and go, and what they owned goes with them" {
    start_server workers --clients 13 --timeout 20
    for i in 1 2 3; do
        start_clients 4 --count 20 --verify --timeout 20
        clients_end 0
    done
    wait_for $PATIENCE nobody_is_connected
    [ "$(pinned)" = 0 ]
    run_client workers --count 3
    expect 0 "3 round trips"
    ends "$server" 0
}
nobody_is_connected() { [ "$(on server rdma resource show qp | grep -c 'comm server')" = 0 ]; }
