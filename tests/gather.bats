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

# The most that the programs and the device take.
most_pieces() {
    local most
    most=$(device_limit client max_sge)
    echo $((most < 16 ? most : 16))
}

@test "gather: every way of cutting, on either side" {
    most=$(most_pieces)
    for pieces in "1 1" "1 $most" "$most 1" "3 5" "5 3" "$most $most" "$((most / 2 - 1)) $most"; do
        start_server gather --pieces "${pieces% *}"
        run_client gather --pieces "${pieces#* }" --verify --count 3 --size 1361
        expect 0 "every byte checked"
        ends "$server" 0
    done
}

@test "gather: the wire does not show the pieces" {
    for pieces in 1 "$(most_pieces)"; do
        lab/wire capture "$state/gather-$pieces.pcap"
        start_server gather --pieces "$pieces"
        run_client gather --pieces "$pieces" --count 4 --size 1000
        lab/wire stop
        expect 0 "4 round trips"
        for from in client server; do
            [ "$(count_sent "$state/gather-$pieces.pcap" $from "send only")" = 4 ]
        done
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
    most=$(most_pieces)
    if ((most < 16)); then
        run_client gather --pieces 16
        expect 1 "takes at most $most pieces"
    fi
    shortest=$((most * (most + 1) / 2))
    run_client gather --pieces "$most" --size $((shortest - 1))
    expect 1 "too short for $most pieces"
    run_client gather --pieces "$most" --size $shortest --verify
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
    most=$(most_pieces)
    start_server gather --pieces "$most"
    run_client gather --size $((most - 1))
    expect 1 "refused: the server gave up before it could answer"
    ends "$server" 1
    has_said "$server" "gather/server: a message is too short for $most pieces"
}
