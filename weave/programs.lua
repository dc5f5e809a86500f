-- The programs complete, each line with the chunk that it is from.
-- In: OUT/bodies.txt, OUT/chunks.tsv and the tangled files, with which what is
-- put together here must agree.  Out: M.rows(file), M.html(file, prefix) for
-- the program pages, M.latex(file) for the appendix; file is "ping-poll/client.c",
-- or "support.c", which is in the folder of every program.
local lib, code = require 'lib', require 'code'
local M, bodies = {}, code.bodies()
local tangled = 'generated-src/'

-- Every line of a chunk that is not blank, as { text, chunk number }.
local function expand(name, out)
  for _, number in ipairs(code.named[name] or {}) do
    local chunk = code.parse(bodies[number])
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


local function place(file)                     -- its root chunk, its path
  if file:find('/', 1, true) then return file, tangled .. file end
  local root = next(code.programs())
  return '*/' .. file, tangled .. root .. '/' .. file
end

-- Rows of the tangled file: { tokens, the chunk's number where it changes }.
function M.rows(file)
  local root, path = place(file)
  local lines, source, n = expand(root, {}), { name = root, lines = {} }, 1
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
  local rows, last = {}, nil
  for i, tokens in ipairs(code.tokens(source, 'c', nil, 100)) do
    local number = from[i] ~= last and from[i] or nil
    rows[i] = { tokens = tokens, number = number }
    last = from[i] or last
  end
  return rows
end

function M.html(file, prefix)                  -- prefix of the lines' identifiers
  local html, out = require 'html', {}
  for i, r in ipairs(M.rows(file)) do
    local from
    if r.number then
      local name = html.escape(code.chunks[r.number].name)
      from = ('<a class="from" href="@chunk-%s" title="%s"><span class="num">%s</span> <span class="nm">%s</span></a>'):format(
        r.number, name, r.number, name)
    end
    out[i] = html.row(html.line(r.tokens, '', nil, {}), (' id="%s-%d"'):format(prefix, i), from)
  end
  return '<pre class="program"><code>' .. table.concat(out) .. '</code></pre>'
end

function M.latex(file)
  local latex, out = require 'latex', {}
  for i, r in ipairs(M.rows(file)) do out[i] = latex.program_line(r.tokens, r.number) end
  return '\\begin{wprogram}\n' .. table.concat(out, '\n') .. '\n\\end{wprogram}'
end
return M
