#!/usr/bin/env bats
# topics: comp-channel event-wait async-interface cq
# ping-event: see course.md's promise in each test's name.
load lib
load ping
load waiting
program=ping-event

@test "ping-event: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "ping-event: over IPv6" { exchanges_over_ipv6; }
@test "ping-event: binds to the address that it is told" { binds_to_one_address; }
@test "ping-event: a port that is taken" { port_is_taken; }
@test "ping-event: no server" { no_server; }
@test "ping-event: no such host" { no_such_host; }
@test "ping-event: a wrong byte is caught" { catches_a_wrong_byte; }
@test "ping-event: a stale message is caught" { catches_a_stale_message; }
@test "ping-event: another version is refused, and both say so" { refuses_another_version; }
@test "ping-event: a wild size is refused" { refuses_a_wild_size; }
@test "ping-event: the server is killed" { server_is_killed; }
@test "ping-event: the client is killed" { client_is_killed; }
@test "ping-event: the client is interrupted" { client_is_interrupted; }
@test "ping-event: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-event: the server freezes" { server_freezes; }

@test "ping-event: ten thousand round trips, and no wake-up is lost" {
    pair ping-event "" ping-event --verify --count 10000
    expect 0 "^10000 round trips of 64 bytes, every byte checked"
    # both slept, and were woken
    (($(woken "$output") > 1000 && $(woken "$served") > 1000)) || { echo "$served"; false; }
}

@test "ping-event: a connected server that waits takes next to no CPU time; a polling one takes all" {
    events=$(idle_ticks ping-event)
    polling=$(idle_ticks ping-poll)
    ((events <= 10 && polling > 50)) || { echo "ticks: events $events, polling $polling"; false; }
}

@test "ping-event: how a side waits is its own business" {
    pair ping-poll "" ping-event --verify --count 20
    expect 0 "20 round trips of 64 bytes, every byte checked"
    pair ping-event "" ping-poll --verify --count 20
    expect 0 "20 round trips of 64 bytes, every byte checked"
}

@test "ping-event: arms once for each sleep, and acknowledges events in batches" {
    start_server ping-event
    run on -t 60 client trace -c ping-event/client --port "$port" --count 1000 server
    show
    expect 0 "1000 round trips"
    wakeups=$(woken "$output")
    (($(calls "$output" ibv_req_notify_cq) <= wakeups + 2))
    # one for every 256, and the rest of each of two queues
    (($(calls "$output" ibv_ack_cq_events) <= wakeups / 256 + 2))
    ends "$server" 0
}
