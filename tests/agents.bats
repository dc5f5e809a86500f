#!/usr/bin/env bats
# topics: many-clients threads fork
# agents: see course.md's promise in each test's name.
load lib
load ping
load waiting
load many
program=agents

@test "agents: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "agents: over IPv6" { exchanges_over_ipv6; }
@test "agents: binds to the address that it is told" { binds_to_one_address; }
@test "agents: a port that is taken" { port_is_taken; }
@test "agents: no server" { no_server; }
@test "agents: no such host" { no_such_host; }
@test "agents: a wrong byte is caught" { catches_a_wrong_byte; }
@test "agents: a stale message is caught" { catches_a_stale_message; }
@test "agents: another version is refused, and both say so" { refuses_another_version; }
@test "agents: a wild size is refused" { refuses_a_wild_size; }
@test "agents: the server is killed" { server_is_killed; }
@test "agents: the client is killed" { client_is_killed; }
@test "agents: the client is interrupted" { client_is_interrupted; }
@test "agents: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "agents: the server freezes" { server_freezes; }
@test "agents: sixteen clients at once" { serves_many 16; }
@test "agents: sixteen clients, one is killed, the others finish" { one_is_killed; }
@test "agents: one client freezes, the others finish" { one_freezes; }
@test "agents: one client is refused, the next is served" { one_is_refused; }
@test "agents: a client too many finds nobody" { one_too_many; }
@test "agents: interrupted with clients, it ends with them" { interrupted_with_clients; }
@test "agents: a client of ping-event is served" { a_plain_ping_is_served; }

# -- An agent is a thread ------------------------------------------------------

@test "agents: a thread for each client" {
    start_server agents --clients 4 --timeout 20
    [ "$(threads)" = 1 ]
    start_clients 3 --count 10000000 --timeout 20
    wait_for $PATIENCE has_four_threads
    lab/job kill -s INT "$server"
    ends "$server" 1
}
has_four_threads() { [ "$(threads)" = 4 ]; }

@test "agents: each identifier moves to a channel of its own" {
    start_traced_server agents --clients 2
    start_clients 2 --count 3
    ends "$server" 0
    [ "$(served 'rdma_migrate_id\(.*= 0')" = 2 ]
    [ "$(served 'rdma_create_event_channel\(')" = 3 ]
}

# -- An agent is a process -----------------------------------------------------

@test "agents: processes: sixteen clients at once" { serves_many 16 --processes; }
@test "agents: processes: sixteen clients, one is killed, the others finish" { one_is_killed --processes; }
@test "agents: processes: one client freezes, the others finish" { one_freezes --processes; }
@test "agents: processes: one client is refused, the next is served" { one_is_refused --processes; }
@test "agents: processes: a client too many finds nobody" { one_too_many --processes; }
@test "agents: processes: interrupted with clients, it ends with them" { interrupted_with_clients --processes; }

@test "agents: processes: one agent is killed, the others finish" {
    start_server agents --clients 4 --timeout 20 --processes
    start_client agents --count 10000000 --timeout 20
    victim=$client
    wait_for $PATIENCE is_connected
    # the first agent that was forked serves the first client
    agent=$(on server sh -c 'pgrep -P $(pgrep -ox server) | head -n 1')
    on server kill -KILL "$agent"
    ends "$victim" 1
    start_clients 3 --count 20 --verify --timeout 20
    clients_end 0
    ends "$server" 1
    has_said "$server" "agent $agent was killed by signal 9"
}

@test "agents: processes: when the parent dies, so do its agents" {
    start_server agents --clients 3 --timeout 20 --processes
    start_clients 2 --count 10000000 --timeout 20
    wait_for $PATIENCE are_connected 2
    on server sh -c 'kill -KILL $(pgrep -ox server)'
    wait_for $PATIENCE nobody_serves
    clients_end 1
}
nobody_serves() { refute on server pgrep -x server > /dev/null; }

@test "agents: processes: no verb before the fork, and each child has its own device" {
    start_server agents --clients 2 --timeout 20 --processes
    start_clients 2 --count 10000000 --timeout 20
    wait_for $PATIENCE are_connected 2
    # the queue pairs belong to two processes
    [ "$(connected server server | sed 's/.*pid \([0-9]*\).*/\1/' | sort -u | wc -l)" = 2 ]
    lab/job kill -s INT "$server"
    ends "$server" 1
}

@test "agents: processes: a client that knows of no redirection says where the server wants it" {
    start_server agents --processes
    run_client ping-event --count 3
    expect 1 "refused: an agent on another port serves this client"
    ends "$server" 1
}

@test "agents: processes: the redirection is a reject, and its port is in the private data" {
    start_server agents --processes
    run on -t 60 client trace agents/client --port "$port" --count 3 server
    show
    expect 0 "3 round trips"
    [ "$(grep -c 'rdma_connect(' <<< "$output")" = 2 ]
    ends "$server" 0
}
