#!/usr/bin/env bats
# gather: see course.md's promise in each test's name.
load lib
load ping
program=gather

@test "gather: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 8388608; }
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
