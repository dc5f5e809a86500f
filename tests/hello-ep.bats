#!/usr/bin/env bats
# topics: sync-async cm-client cm-server
# hello-ep: the same with librdmacm's helpers.
load lib
load ping
load hello
program=hello-ep

@test "hello-ep: every byte arrives, whatever the size" { hello_sizes; }
@test "hello-ep: over IPv6" { hello_over_ipv6; }
@test "hello-ep: its client talks to hello-cm's server" { hello_to hello-cm; }
@test "hello-ep: a port that is taken" { port_is_taken; }
@test "hello-ep: no server" { no_server; }
@test "hello-ep: no such host" { no_such_host; }
@test "hello-ep: a wrong byte is caught" { hello_wrong_byte; }
@test "hello-ep: another version is refused, and both say so" { refuses_another_version; }
@test "hello-ep: a wild size is refused" { refuses_a_wild_size; }
@test "hello-ep: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "hello-ep: the server dies before its answer" { hello_server_dies "has left|Work Request Flushed"; }
@test "hello-ep: the client dies before its message" { hello_client_dies "has left"; }
@test "hello-ep: a server that stops" { hello_server_stops; }
@test "hello-ep: a client of another protocol is refused" { hello_stranger; }

@test "hello-ep: a name that nobody knows" {
    port=7999 host=nowhere.invalid run_client hello-ep
    expect 1 'host "nowhere.invalid": '
}
