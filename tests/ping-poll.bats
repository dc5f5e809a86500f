#!/usr/bin/env bats
# ping-poll: see course.md's promise in each test's name.
load lib
load ping
program=ping-poll

@test "ping-poll: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 8388608; }
@test "ping-poll: over IPv6" { exchanges_over_ipv6; }
@test "ping-poll: binds to the address that it is told" { binds_to_one_address; }
@test "ping-poll: a port that is taken" { port_is_taken; }
@test "ping-poll: no server" { no_server; }
@test "ping-poll: no such host" { no_such_host; }
@test "ping-poll: a wrong byte is caught" { catches_a_wrong_byte; }
@test "ping-poll: a stale message is caught" { catches_a_stale_message; }
@test "ping-poll: another version is refused, and both say so" { refuses_another_version; }
@test "ping-poll: a wild size is refused" { refuses_a_wild_size; }
@test "ping-poll: the server is killed" { server_is_killed; }
@test "ping-poll: the client is killed" { client_is_killed; }
@test "ping-poll: the client is interrupted" { client_is_interrupted; }
@test "ping-poll: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-poll: the server freezes" { server_freezes; }
