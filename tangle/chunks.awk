# In:  the output of noweb's markup.
# Out: tab-separated "defn|use, chunk's name, file, line" for each chunk
#      that is defined or used.  A use in quoted prose does not count.
BEGIN { OFS = "\t" }
/^@file /            { file = substr($0, 7); line = 1 }
/^@nl$/              { line++ }
/^@index nl/         { line++ }
/^@begin code/       { code = 1 }
/^@end code/         { code = 0 }
/^@defn /            { print "defn", substr($0, 7), file, line }
/^@use / && code     { print "use", substr($0, 6), file, line }
