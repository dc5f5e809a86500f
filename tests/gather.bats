#!/usr/bin/env bats
# topics: sge
# gather: see course.md's promise in each test's name.
load lib
load ping
program=gather

@test "gather: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "gather: over IPv6" { exchanges_over_ipv6; }
@test "gather: binds to the address that it is told" { binds_to_one_address; }
@test "gather: a port that is taken" { port_is_taken; }
@test "gather: no server" { no_server; }
@test "gather: no such host" { no_such_host; }
@test "gather: a wrong byte is caught" { catches_a_wrong_byte; }
@test "gather: a stale message is caught" { catches_a_stale_message; }
@test "gather: another version is refused, and both say so" { refuses_another_version; }
@test "gather: a wild size is refused" { refuses_a_wild_size; }
@test "gather: the server is killed" { server_is_killed; }
@test "gather: the client is killed" { client_is_killed; }
@test "gather: the client is interrupted" { client_is_interrupted; }
@test "gather: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "gather: the server freezes" { server_freezes; }

@test "gather: every way of cutting, on either side" {
    for pieces in "1 1" "1 16" "16 1" "3 5" "5 3" "16 16" "7 16"; do
        start_server gather --pieces "${pieces% *}"
        run_client gather --pieces "${pieces#* }" --verify --count 3 --size 1361
        expect 0 "every byte checked"
        ends "$server" 0
    done
}

@test "gather: the wire does not show the pieces" {
    for pieces in 1 16; do
        lab/wire capture "build/lab/gather-$pieces.pcap"
        start_server gather --pieces "$pieces"
        run_client gather --pieces "$pieces" --count 4 --size 1000
        lab/wire stop
        expect 0 "4 round trips"
        [ "$(count_packets "build/lab/gather-$pieces.pcap" "infiniband.bth.opcode == 4")" = 8 ]
    done
}

@test "gather: a byte behind a piece is noticed" {
    variant gather/client 's/^        fill_pattern(&c->run, c->send/((uint8_t *)c->recv.mr[k]->addr)[c->recv.sge[k].length + 63] = 0, &/'
    start_server gather
    run on -t 60 client "$variant" --port "$port" --pieces 4 --verify server
    show
    expect 1 "message 0 overran a piece"
    ends "$server" 1
}

@test "gather: a region ends where its piece ends" {
    # an element that reaches into the guard is refused by the device
    variant gather/client 's/p->sge\[k\].length = (uint32_t)length/& + 8/'
    start_server gather
    run on -t 60 client "$variant" --port "$port" --pieces 2 --verify server
    show
    expect 1 "send 0: "
    ends "$server" 1
}

@test "gather: too many pieces, too short a message" {
    start_server gather
    run_client gather --pieces 17
    expect 2 "pieces takes a number from 1 to 16"
    run_client gather --pieces 16 --size 100
    expect 1 "too short for 16 pieces"
    run_client gather --pieces 16 --size 136 --verify
    expect 0 "every byte checked"
    ends "$server" 0
}

@test "gather: a client of another protocol is refused, and both say so" {
    start_server gather
    run_client ping-poll
    expect 1 "ping-poll/client: refused: the two programs speak different protocols"
    ends "$server" 1
    has_said "$server" "gather/server: refused a client: the two programs speak different protocols"
}

@test "gather: a server that cannot serve says so, and its client is told" {
    start_server gather --pieces 16
    run_client gather --size 100
    expect 1 "refused: the server gave up before it could answer"
    ends "$server" 1
    has_said "$server" "gather/server: a message is too short for 16 pieces"
}
