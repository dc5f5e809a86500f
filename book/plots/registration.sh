# What registering and deregistering cost, over the size of the buffer.
echo "bytes register deregister"
single memreg/memreg --size 64M --count 31 |
    awk '$2 == "KiB" { print $1 * 1024, $4, $6 }'
