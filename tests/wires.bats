#!/usr/bin/env bats
# The wire diagrams: what is recorded still crosses the wire, faults in a
# recording are found, and the drawing says what the recording says.
load lib

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    [ -e $state/kind ] || lab/up one
}

# The programs that readers run; sanitizers change nothing on the wire.
replay() { run tests/wires replay "$@"; show; }

@test "wires: every recorded exchange has the same shape now" {
    replay
    [ "$status" = 0 ]
    [ "$(grep -c '^replayed' <<< "$output")" = "$(tests/wires list | wc -l)" ]
}

@test "wires: nothing is recorded that no chapter asks for" {
    diff <(env -u LAB_TRANSPORT tests/wires list | sort) <(cd book/wires && ls ./*.txt | sed 's,^\./,,; s,\.txt$,,' | sort)
}

# LAB_TRANSPORT, which lib.bash sets, leaves those of the lab's own transport.

# planted NAME SED-SCRIPT PATTERN: a fault in the recording, and what is said.
planted() {
    rm -rf "$BATS_TEST_TMPDIR/wires"
    cp -r book/wires "$BATS_TEST_TMPDIR/wires"
    sed -i "$2" "$BATS_TEST_TMPDIR/wires/$1.txt"
    ! cmp -s "book/wires/$1.txt" "$BATS_TEST_TMPDIR/wires/$1.txt" || { echo "the fault changed nothing"; return 1; }
    WIRES=$BATS_TEST_TMPDIR/wires replay "$1"
    expect 1 "$3"
    grep -q "wires: $1: the exchange has another shape" <<< "$output"
}

@test "wires: another opcode, length or number, a packet too few or too many are found" {
    if [ "$TRANSPORT" = siw ]; then
        planted hello-iwarp 's/Request\t-\t36/Request\t-\t60/' '^-client, connection: MPA Request, 60 bytes'
        planted hello-iwarp '/mpa\tReply/d' '^\+server, connection: MPA Reply, 36 bytes'
        planted no-size-iwarp 's/rejected/-/' '^-server, connection: MPA Reply, 32 bytes$'
        planted hello-iwarp '0,/rdmap\tSend\t-\t64/s//rdmap\tSend\t-\t63/' '^-client, messages: RDMAP Send, 63 bytes'
        return
    fi
    planted two-ways '0,/Send Middle/s//RDMA Write Middle/' '^-client, messages: RDMA Write Middle, packet 1, 1024 bytes'
    planted two-ways '0,/952/s//951/' '^-client, messages: Send Last, packet 2, 951 bytes'
    planted two-ways '0,/Send Last\t2/s//Send Last\t3/' '^-client, messages: Send Last, packet 3'
    planted two-ways '/^server.*Send Middle/d' '^\+server, messages: Send Middle, packet 1, 1024 bytes'
    planted two-ways '/ReadyToUse/d' '^\+client, connection: ReadyToUse'
    planted two-ways '/^server.*Acknowledge/d' '^\+server, last acknowledgement: Acknowledge, packet 2'
    planted two-ways '/^server.*Send Last/p' '^-server, messages: Send Last'
    planted too-long 's/remote operational error/invalid request/' '^-server, refusal: NAK, packet 0, invalid request'
    planted late-receive '/receiver not ready/d' '^\+server, refusal: RNR NAK'
    planted refused 's/reason 28/reason 8/' '^-server, connection: ConnectReject \(REJ\), reason 8'
    planted two-ways-socket '0,/\t3000\t/s//\t3001\t/' '^-client, messages: 3033 bytes of TCP'
}

shape() { awk -f lab/packet.awk -f tests/shape.awk "$1"; }

@test "wires: what may differ from run to run does" {
    t=$BATS_TEST_TMPDIR/t.txt
    # one acknowledgement for several packets; the answer before the acknowledgement
    shape book/wires/late-receive.txt > "$t.1"
    sed '/^server.*Acknowledge.*\t0\t-$/d; /^client.*Acknowledge.*\t1\t-$/d' book/wires/late-receive.txt > "$t"
    shape "$t" | diff "$t.1" -
    awk '/^server.*Acknowledge/ { held = $0; next } { print } held { print held; held = "" }' book/wires/two-ways.txt > "$t"
    refute cmp -s "$t" book/wires/two-ways.txt
    diff <(shape book/wires/two-ways.txt) <(shape "$t")
    # TCP's segments
    awk -F '\t' -v OFS='\t' '$6 == 3000 { $6 = 1448; print; $6 = 1552 } { print }' book/wires/two-ways-socket.txt > "$t"
    diff <(shape book/wires/two-ways-socket.txt) <(shape "$t")
}

@test "wires: reads and writes by their names and numbers" {
    lab/wire capture $state/rping.pcap
    start server rping -s -C 1 -a 192.0.2.1 -S 3000
    server=$job
    wait_for $PATIENCE on server sh -c 'rdma resource show cm_id | grep -q LISTEN'
    run on -t 60 client rping -c -C 1 -a 192.0.2.1 -S 3000
    ends "$server" 0
    lab/wire stop
    run lab/dissect $state/rping.pcap
    show
    for row in 'server 1 rc RDMA_Read_Request 0 3000 - -' 'client 1 rc RDMA_Read_Response_First 0 1024 0 -' \
        'client 1 rc RDMA_Read_Response_Last 2 952 2 -' 'server 1 rc Send_Only 3 16 - -' \
        'server 1 rc RDMA_Write_First 4 1024 - -' 'server 1 rc RDMA_Write_Last 6 952 - -'; do
        grep -qxF "$(tr ' _' '\t ' <<< "$row")" <<< "$output" || { echo "not there: $row"; false; }
    done
}

@test "wires: a program that fails is no exchange, unless that is the point" {
    run lab/exchange -s ping-poll gather
    expect 1 'gather/client: refused: the two programs speak different protocols'
    run lab/exchange -f ping-poll --count 1
    expect 1 'the run has not failed'
}
