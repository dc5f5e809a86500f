# What every program of the ping family must do, whatever it moves its
# messages with.  Each function is one test; $program names the program.
# shellcheck shell=bash disable=SC2154

exchanges() { # exchanges SIZE...
    local size
    for size; do
        start_server "$program"
        run_client "$program" --verify --count 3 --size "$size"
        expect 0 "^3 round trips of $size bytes, every byte checked"
        ends "$server" 0
        has_said "$server" "^3 messages of $size bytes answered, every byte checked"
    done
}

exchanges_over_ipv6() {
    start_server "$program" --bind ::
    host=server6 run_client "$program" --verify --count 5
    expect 0 "every byte checked"
    ends "$server" 0
}

binds_to_one_address() {
    start_server "$program" --bind server
    run_client "$program" --count 5
    expect 0 "5 round trips"
    ends "$server" 0
    run on server "$program/server" --bind 192.0.2.99
    show
    expect 1 "Cannot assign requested address"
}

port_is_taken() {
    start_server "$program"
    run on server "$program/server" --port "$port"
    show
    expect 1 "(Address already in use|Cannot assign).*another server on this port"
}

no_server() {
    port=7999 run_client "$program"
    expect 1 "$program/client: .*(no server listens on port 7999|Connection refused)"
}

no_such_host() {
    port=7999 host=nowhere.invalid run_client "$program"
    expect 1 "host \"nowhere.invalid\": "
    port=7999 host=192.0.2.77 run_client "$program" --timeout 2
    expect 1 "(timed out|no answer in time|No route to host)"
}

catches_a_wrong_byte() {
    variant "$program/client" 's/= pattern_byte(seed, offset + i);/= pattern_byte(seed, offset + i) ^ (sequence == 3 \&\& offset + i == 17);/;
        s/uint8_t expected = \(.*\) ^ .*;/uint8_t expected = \1;/'
    start_server "$program"
    run on -t 60 client "$variant" --port "$port" --verify --size 100 --count 10 server
    show
    expect 1 "(the server has left|server: it has left)"
    ends "$server" 1
    has_said "$server" "$program/server: message 3: byte 17 is 0x.., not 0x.."
}

catches_a_stale_message() { # one that repeats an earlier message
    variant "$program/server" 's/fill_message(c, TO_CLIENT, i)/fill_message(c, TO_CLIENT, i ? 1 : 0)/'
    start server "$variant" --port 0
    await_ready
    run_client "$program" --verify --count 10
    expect 1 "message 2: byte 0 is"
    ends "$server" 1
}

refuses_another_version() {
    variant "$program/client" 's/define PROTOCOL_VERSION 1/define PROTOCOL_VERSION 2/'
    start_server "$program"
    run on -t 60 client "$variant" --port "$port" server
    show
    expect 1 "refused: the two programs speak different versions"
    ends "$server" 1
    has_said "$server" "refused a client: the two programs speak different versions"
}

refuses_a_wild_size() {
    variant "$program/client" 's/size = htobe64(run->size)/size = htobe64(UINT64_MAX)/'
    start_server "$program"
    run on -t 60 client "$variant" --port "$port" server
    show
    expect 1 "refused: the message size is out of range"
    ends "$server" 1
}

# A run that lasts until something ends it.
begin_endless_run() {
    start_server "$program" --timeout "${endless:-2}"
    wait_for $PATIENCE nobody_is_connected # any more, from an earlier test
    start_client "$program" --count 10000000 --timeout "${endless:-2}"
    wait_for $PATIENCE is_connected
}
nobody_is_connected() { refute is_connected > /dev/null; }
is_connected() {
    on server sh -c "ss -Htn state established 'sport = :$port' | grep -q . ||
        rdma resource show qp | grep -q 'type RC state RTS'"
}

server_is_killed() {
    begin_endless_run
    lab/job kill -s KILL "$server"
    ends "$client" 1
    # (soft-iWARP gives a send that was under way a status of its own)
    has_said "$client" "$program/client: .*(has left|reset by peer|is the peer gone$(by_transport "" "|local QP operation error"))"
}

client_is_killed() {
    begin_endless_run
    lab/job kill -s KILL "$client"
    ends "$server" 1
    has_said "$server" "$program/server: .*(has left|reset by peer|is the peer gone)"
}

client_is_interrupted() {
    begin_endless_run
    lab/job kill -s INT "$client"
    ends "$client" 1
    has_said "$client" "$program/client: .*interrupted"
    ends "$server" 1
    has_said "$server" "$program/server: .*(has left|reset by peer|is the peer gone)"
}

server_is_interrupted_while_it_waits() {
    start_server "$program"
    lab/job kill -s INT "$server"
    ends "$server" 1
    has_said "$server" "interrupted"
}

server_freezes() {
    begin_endless_run
    lab/job kill -s STOP "$server"
    ends "$client" 1
    has_said "$client" "(no answer in time|does not answer|is the peer gone)"
    lab/job kill -s CONT "$server"
    ends "$server" 1
}
