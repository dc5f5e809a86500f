#!/usr/bin/env bats
# topics: twelve-steps cq hardware-resources connections liveness
# hello-verbs: over RC and UC; the packet numbers and queue pair numbers
# printed are those in the capture; the wrong GID index is explained.
load lib
load ping
program=hello-verbs

@test "hello-verbs: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "hello-verbs: over IPv6" { exchanges_over_ipv6; }
@test "hello-verbs: binds to the address that it is told" { binds_to_one_address; }
@test "hello-verbs: a port that is taken" { port_is_taken; }
@test "hello-verbs: no server" { no_server; }
@test "hello-verbs: no such host" { no_such_host; }
@test "hello-verbs: a wrong byte is caught" { catches_a_wrong_byte; }
@test "hello-verbs: a stale message is caught" { catches_a_stale_message; }
@test "hello-verbs: another version is refused, and both say so" { refuses_another_version; }
@test "hello-verbs: a wild size is refused" { refuses_a_wild_size; }
@test "hello-verbs: the server is killed" { server_is_killed; }
@test "hello-verbs: the client is killed" { client_is_killed; }
@test "hello-verbs: the client is interrupted" { client_is_interrupted; }
@test "hello-verbs: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "hello-verbs: the server freezes" { server_freezes; }

@test "hello-verbs: over UC every byte arrives as well, as long as nothing is lost" {
    for size in 1 64 1025 65536; do
        start_server hello-verbs
        run_client hello-verbs --service uc --verify --count 3 --size "$size"
        expect 0 "^3 round trips of $size bytes, every byte checked"
        ends "$server" 0
        has_said "$server" "^3 messages of $size bytes answered, every byte checked"
    done
}

@test "hello-verbs: only RC or UC" {
    port=7999
    run_client hello-verbs --service ud
    expect 2 "service takes rc or uc, not \"ud\" \(try --help\)"
}

# card FIELD LINE OUTPUT: QP or PSN of the line here or there, as a number
card() { printf '%d\n' "$(sed -n "s/^  $2 .*$1 \(0x[0-9a-f]*\),.*/\1/p" <<< "$3")"; }

# packets FILE ADDRESS: opcode, queue pair and number of each request from there
packets() {
    tshark -r "$1" -Y "infiniband.bth.opcode && ip.src == $2 && infiniband.bth.opcode != 17" \
        -T fields -e infiniband.bth.opcode -e infiniband.bth.destqp -e infiniband.bth.psn 2> /dev/null
}

@test "hello-verbs: the queue pair and packet numbers printed are those in the capture" {
    for service in rc uc; do
        file=$state/hello-$service.pcap
        lab/wire capture $file
        start_server hello-verbs
        run_client hello-verbs --service $service --count 3 --size 2000
        lab/wire stop
        expect 0 "3 round trips"
        ends "$server" 0
        # what is here for the one is there for the other
        for field in QP PSN; do
            [ "$(card $field here "$output")" = "$(card $field there "$(said "$server")")" ]
            [ "$(card $field there "$output")" = "$(card $field here "$(said "$server")")" ]
        done
        # first and last of each message; UC's opcodes begin with 32
        first=$([ $service = rc ] && echo 0 || echo 32)
        for from in "192.0.2.2 here there" "192.0.2.1 there here"; do
            read -r address sender receiver <<< "$from"
            psn=$(card PSN "$sender" "$output") qp=$(card QP "$receiver" "$output")
            for ((i = 0; i < 6; i++)); do
                printf '%d %d %d\n' $((first + i % 2 * 2)) "$qp" $(((psn + i) % (1 << 24)))
            done > "$BATS_TEST_TMPDIR/expected"
            packets $file "$address" | while read -r op to number; do
                printf '%d %d %d\n' "$op" "$to" "$number"
            done | diff "$BATS_TEST_TMPDIR/expected" -
        done
        # only the reliable one acknowledges
        acks=$(count_packets $file 'infiniband.bth.opcode == 17')
        if [ $service = rc ]; then [ "$acks" -ge 6 ]; else [ "$acks" = 0 ]; fi
    done
}

@test "hello-verbs: packet numbers wrap" {
    variant hello-verbs/client 's/random_key() & MAX_24/MAX_24 - 1/'
    start_server hello-verbs
    run on -t 60 client "$variant" --port "$port" --verify --count 5 --size 3000 server
    show
    expect 0 "PSN 0xfffffe"
    expect 0 "every byte checked"
    ends "$server" 0
}

@test "hello-verbs: a wrong GID index is explained, on either side" {
    start_server hello-verbs --gid 0
    run_client hello-verbs
    expect 1 "the server has left"
    ends "$server" 1
    has_said "$server" "hello-verbs/server: ibv_modify_qp to RTR: Invalid argument"
    has_said "$server" "GID 0 is fe80::.*, but we are ::ffff:192.0.2.1: a wrong index\? \(see devices/devices\)"

    start_server hello-verbs
    run_client hello-verbs --gid 2
    expect 1 "GID 2 is 2001:db8::2, but we are ::ffff:192.0.2.2: a wrong index\?"
    ends "$server" 1

    start_server hello-verbs --gid 99 # nothing is there
    run_client hello-verbs
    ends "$server" 1
    has_said "$server" "ibv_modify_qp to RTR: No data available"
    has_said "$server" "GID 99 is ::, but we are"

    # wrong on both sides, but of one kind, and on one link
    start_server hello-verbs --gid 2
    run_client hello-verbs --gid 2 --verify --count 3
    expect 0 "GID 2001:db8::2"
    expect 0 "every byte checked"
    ends "$server" 0
}

@test "hello-verbs: on RoCE an address vector without GIDs is refused" {
    variant hello-verbs/client 's/\.is_global = 1/.is_global = 0/'
    start_server hello-verbs
    run on -t 60 client "$variant" --port "$port" server
    show
    expect 1 "ibv_modify_qp to RTR: Invalid argument"
    ends "$server" 1
}

@test "hello-verbs: a wrong packet number or queue pair is not noticed before the first packet" {
    for change in 's/\.rq_psn = you->psn/.rq_psn = (you->psn + 9) \& MAX_24/' 's/\.dest_qp_num = you->qpn/.dest_qp_num = you->qpn + 999/'; do
        variant hello-verbs/client "$change"
        start_server hello-verbs --timeout 4
        run on -t 60 client "$variant" --port "$port" --timeout 4 server
        show
        expect 1 "(transport retry counter exceeded|no message 0 from the server: it (does not answer|has left))"
        refute grep -q "ibv_modify_qp" <<< "$output"
        lab/job wait -t "$PATIENCE" "$server" || true
        refute grep -q "ibv_modify_qp" <<< "$(said "$server")"
    done
}

@test "hello-verbs: a GID that nobody can answer to is a timeout, and explained" {
    on client ip address add 198.51.100.2/32 dev eth_client
    index=$(on client devices/devices 198.51.100.2 | sed -n 's/.* GID \([0-9]*\) .*/\1/p')
    on server ip neighbour replace 198.51.100.2 lladdr 02:00:00:00:00:99 dev eth_server
    start_server hello-verbs
    run_client hello-verbs --gid "$index" --count 1
    on server ip neighbour del 198.51.100.2 dev eth_server
    on client ip address del 198.51.100.2/32 dev eth_client
    expect 1 "send 0: transport retry counter exceeded \(nobody acknowledges"
    expect 1 "GID $index is ::ffff:198.51.100.2, but we are ::ffff:192.0.2.2: a wrong index"
    # the message has arrived: only what came back was lost
    ends "$server" 0
    has_said "$server" "1 messages of 64 bytes answered"
}

@test "hello-verbs: over UC a lost message stays lost, and that is said" {
    start_server hello-verbs --timeout 2
    start_client hello-verbs --service uc --count 10000000 --timeout 2
    wait_for "$PATIENCE" has_said "$client" "^  there " # TCP has done its part
    lab/wire netem loss 40%
    ends "$client" 1
    ends "$server" 1
    lab/wire netem off
    { said "$server"; said "$client"; } > "$BATS_TEST_TMPDIR/said"
    grep -qE "no message [0-9]+ from the (server|client): it does not answer" "$BATS_TEST_TMPDIR/said"
    grep -q "over UC what is lost is not sent again" "$BATS_TEST_TMPDIR/said"
}

@test "hello-verbs: an impossible card is refused" {
    for change in 's/card.qpn = htobe32(card.qpn)/card.qpn = htobe32(1u << 24)/' \
        's/card.lid = htobe16/card.mtu = 6; &/' 's/card.lid = htobe16/card.service = 4; &/'; do
        variant hello-verbs/client "$change"
        start_server hello-verbs
        run on -t 60 client "$variant" --port "$port" server
        show
        expect 1 "the server has left"
        ends "$server" 1
        has_said "$server" "the client describes an impossible queue pair"
    done
}

@test "hello-verbs: an address without RDMA" {
    start_server hello-verbs
    host=127.0.0.1 run on -t 20 server hello-verbs/client --port "$port" 127.0.0.1
    show
    expect 1 "no RDMA device has the GID ::ffff:127.0.0.1"
    ends "$server" 1
}

@test "hello-verbs: a client of another protocol is refused, and both say so" {
    start_server hello-verbs
    run_client ping-socket
    expect 1 "ping-socket/client: refused: the two programs speak different protocols"
    ends "$server" 1
    has_said "$server" "hello-verbs/server: refused a client: the two programs speak different protocols"
}
