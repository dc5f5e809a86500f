-- The program pages: each file complete, each line with the chunk it is from.
-- In: OUT/bodies.txt, OUT/chunks.tsv and the tangled files, with which what is
-- put together here must agree.  Out: M.file(root, path), HTML.
local lib, code, html = require 'lib', require 'code', require 'html'
local M, bodies = {}, {}

do
  local number
  for line in io.lines(lib.out .. '/bodies.txt') do
    local n = line:match '^@chunk (%S+)'
    if n then number = n; bodies[n] = {} else table.insert(bodies[number], line) end
  end
end

-- Every line of a chunk that is not blank, as { text, chunk number }.
local function expand(name, out)
  for _, number in ipairs(code.named[name] or {}) do
    local chunk = code.parse(table.concat(bodies[number], '\n'))
    for _, segments in ipairs(chunk.lines) do
      local text = ''
      for _, s in ipairs(segments) do
        if s[1] == 'use' then
          if text:find '%S' then out[#out + 1] = { text, number } end
          text = ''
          expand(s[2], out)
        else text = text .. s[2] end
      end
      if text:find '%S' then out[#out + 1] = { text, number } end
    end
  end
  return out
end
local function squeeze(s) return (s:gsub('%s+', '')) end

-- file: root chunk, path of the tangled file, prefix of its lines' identifiers
function M.file(root, path, prefix)
  local lines, source, n = expand(root, {}), { lines = {} }, 1
  local from, rest = {}, ''
  for row in io.lines(path) do
    local i = #source.lines + 1
    source.lines[i] = { { 'text', row } }
    local text = squeeze(row)
    while text ~= '' do                        -- "text <<chunk>>;" is one line of several
      local l = lines[n] or { '', '' }
      if rest == '' then rest = squeeze(l[1]) end
      if rest == '' or text:sub(1, #rest) ~= rest then
        lib.fail(('%s:%d: not what its chunks say: make programs'):format(path, i))
      end
      from[i] = from[i] or l[2]
      text = text:sub(#rest + 1); rest = ''; n = n + 1
    end
  end
  local out, last = {}, nil
  for i, tokens in ipairs(code.tokens(source, 'c', nil, 100)) do
    local own = {}
    local row, number = html.line(tokens, '', nil, own), from[i]
    if number and number ~= last then
      local name = code.chunks[number].name
      row = ('<a class="from" href="@chunk-%s" title="%s"><span class="num">%s</span> <span class="nm">%s</span></a>'):format(
        number, html.escape(name), number, html.escape(name)) .. row
      last = number
    end
    out[i] = html.row(row, (' id="%s-%d"'):format(prefix, i))
  end
  return '<pre class="program"><code>' .. table.concat(out) .. '</code></pre>'
end
return M
