-- A ZIP file's dates, for the same bytes wherever it is built.
-- Arguments: FILE, seconds since 1970.  In and out: FILE, in which every entry
-- has that date (local headers and central directory, in UTC).
local path, seconds = arg[1], tonumber(arg[2])
local f = assert(io.open(path, 'rb'))
local s = f:read 'a'
f:close()
local d = os.date('!*t', seconds)
local stamp = string.pack('<I2I2', d.hour << 11 | d.min << 5 | d.sec // 2,
  (d.year - 1980) << 9 | d.month << 5 | d.day)
local out, from = {}, 1
local function replace(at)                     -- four bytes
  out[#out + 1] = s:sub(from, at - 1) .. stamp
  from = at + 4
end
-- the end record tells where the central directory begins
local e = #s - 21
while s:sub(e, e + 3) ~= 'PK\5\6' do e = e - 1 end
local count, _, start = string.unpack('<I2I4I4', s, e + 10)
local locals, centrals, at = {}, {}, start + 1
for _ = 1, count do
  assert(s:sub(at, at + 3) == 'PK\1\2', path .. ': not a ZIP file as expected')
  local name, extra, comment = string.unpack('<I2I2I2', s, at + 28)
  locals[#locals + 1] = string.unpack('<I4', s, at + 42) + 1 + 10
  centrals[#centrals + 1] = at + 12
  at = at + 46 + name + extra + comment
end
table.sort(locals)
for _, p in ipairs(locals) do replace(p) end
for _, p in ipairs(centrals) do replace(p) end
out[#out + 1] = s:sub(from)
f = assert(io.open(path, 'wb'))
f:write(table.concat(out))
f:close()
