-- The book's chunks, and C cut into tokens.
-- In: build/weave/chunks.tsv, and the raw pipeline lines of a chunk.
-- Out: M.chunks[number], M.named[name], M.names / M.tags[identifier], and
-- M.tokens(): for each line a list of { kind, text, target }, kind being
-- text, key, comment, string, name, use; M.bodies(), M.excerpt() for slides.
local lib = require 'lib'
local M = { chunks = {}, named = {}, names = {}, tags = {} }

local function push(t, k, v) t[k] = t[k] or {}; table.insert(t[k], v) end

for _, r in ipairs(lib.rows(lib.out .. '/chunks.tsv')) do
  if r[1] == 'chunk' then
    M.chunks[r[2]] = { number = r[2], chapter = r[3], name = r[4] }
    push(M.named, r[4], r[2])
  elseif r[1] == 'use' then
    push(M, 'uses', { user = r[2], name = r[3] })
  elseif r[1] == 'def' then
    push(r[3] == 'tag' and M.tags or M.names, r[4], r[2])
  end
end
M.used_by = {}                                 -- name -> numbers that use it
for _, u in ipairs(M.uses or {}) do
  local list = M.used_by[u.name] or {}
  M.used_by[u.name] = list
  if list[#list] ~= u.user then list[#list + 1] = u.user end
end

function M.is_root(name) return name:find('/', 1, true) ~= nil and not M.used_by[name] end

-- The programs' names, each with its files, as the roots say.
function M.programs()
  local list = {}
  for name in pairs(M.named) do
    local program, file = name:match '^([%w-]+)/([%w-]+%.c)$'
    if program and M.is_root(name) then push(list, program, file) end
  end
  return list
end

-- "answer NAME, PROGRAM/FILE: CHUNK" stands for CHUNK in a copy of that file.
local function copy_of(name) return name:match '^answer [%w-]+, (%S+):' end

-- The language of a chunk is that of a file in which it ends up.
local function language(name, seen)
  if M.is_root(name) then return (copy_of(name) or name):match '%.(%w+)$' or 'text' end
  for _, user in ipairs(M.used_by[name] or {}) do
    local up = M.chunks[user].name
    if not seen[up] then
      seen[up] = true
      local l = language(up, seen)
      if l then return l end
    end
  end
end
function M.language(name) return language(name, {}) or 'c' end

-- The files in which a chunk ends up, as a set.  An answer is a chunk of its
-- own; what it uses is in the file of which it changes a copy.
local roots_of = {}
local function roots(name)
  if not roots_of[name] then
    local set = {}
    roots_of[name] = set
    if not M.used_by[name] then set[name] = true end
    for _, user in ipairs(M.used_by[name] or {}) do
      for root in pairs(roots(M.chunks[user].name)) do set[root] = true end
    end
  end
  return roots_of[name]
end

-- Where an identifier is defined: if in several chunks, for a `chunk` ({ name,
-- number }) in itself, or in the first that is in one file with it; for a
-- chapter's text in the only one of that chapter.
function M.definition(name, chunk)
  local tag = name:match '^struct ([%w_]+)$' or name:match '^enum ([%w_]+)$'
    or name:match '^union ([%w_]+)$'
  local where = tag and M.tags[tag] or M.names[name:gsub('%(.*%)$', '')]
  if not where or #where == 1 then return where and where[1] end
  local found = {}
  if chunk and chunk.name then
    local file = copy_of(chunk.name)
    local mine = file and { [file] = true } or roots(chunk.name)
    for _, number in ipairs(where) do
      if number == chunk.number then return number end
      for root in pairs(roots(M.chunks[number].name)) do
        if mine[root] then found[1] = found[1] or number end
      end
    end
  else
    for _, number in ipairs(where) do
      local c = M.chunks[number]
      if c.chapter == lib.id and not copy_of(c.name) then found[#found + 1] = number end
    end
  end
  return #found == 1 and found[1] or nil
end
function M.is_library(name)
  return name:match '^ibv_' or name:match '^rdma_' or name:match '^IBV_' or name:match '^RDMA_'
end

-- Raw pipeline lines -> { name, number, lines = { { {'text', s} | {'use', name} } }, defs }
function M.parse(text)
  local chunk, line = { lines = {}, defs = {} }, {}
  for row in (text .. '\n'):gmatch '(.-)\n' do
    local word, rest = row:match '^@(%S+) ?(.*)$'
    if word == 'defn' then chunk.name = rest
    elseif word == 'text' then line[#line + 1] = { 'text', rest }
    elseif word == 'use' then line[#line + 1] = { 'use', rest }
    elseif word == 'index' then
      chunk.defs[#chunk.defs + 1] = rest:gsub('^defn ', '')
    elseif word == 'nl' then
      chunk.lines[#chunk.lines + 1] = line; line = {}
    end
  end
  table.remove(chunk.lines, 1)                 -- what follows <<name>>=
  local function blank(l) return #l == 0 or (#l == 1 and l[1][1] == 'text' and not l[1][2]:find '%S') end
  while #chunk.lines > 0 and blank(chunk.lines[#chunk.lines]) do table.remove(chunk.lines) end
  chunk.skipped = 0                            -- a continuation begins with a blank line
  while #chunk.lines > 0 and blank(chunk.lines[1]) do
    table.remove(chunk.lines, 1); chunk.skipped = chunk.skipped + 1
  end
  return chunk
end

local keyword = {}
for w in ([[auto break case char const continue default do double else enum extern
  float for goto if inline int long register restrict return short signed sizeof
  static struct switch typedef union unsigned void volatile while bool true false NULL
  size_t ssize_t uint8_t uint16_t uint32_t uint64_t int32_t int64_t uintptr_t
  __be16 __be32 __be64 _Static_assert _Atomic]]):gmatch '%S+' do keyword[w] = true end

local function c_tokens(s, state, put, chunk)
  local i = 1
  while i <= #s do
    local a, b
    local function at(pattern) a, b = s:find('^' .. pattern, i); return a end
    local kind, target = 'text', nil
    if state.comment then
      a, b = s:find('*/', i, true)
      if b then state.comment = false else b = #s end
      kind = 'comment'
    elseif at '/%*' then state.comment = true; b = i - 1
    elseif at '//.*' then kind = 'comment'
    elseif at '"' or at "'" then
      local quote, j = s:sub(i, i), i + 1
      while j <= #s and s:sub(j, j) ~= quote do
        j = j + (s:sub(j, j) == '\\' and 2 or 1)
      end
      b = math.min(j, #s); kind = 'string'
    elseif at '#%s*%a+' and not s:sub(1, i - 1):find '%S' then kind = 'key'
    elseif at '[%a_][%w_]*' then
      local word = s:sub(a, b)
      if keyword[word] then
        kind = 'key'
      elseif state.previous == 'struct' or state.previous == 'union' or state.previous == 'enum' then
        kind = 'name'; target = M.definition('struct ' .. word, chunk)
        word = 'struct ' .. word
      elseif s:sub(1, i - 1):find '[%.>]%s*$' and not s:sub(1, i - 1):find '[^%-]>%s*$' then
        kind = 'text'                          -- a member: a.b, a->b
      else
        kind = 'name'; target = M.definition(word, chunk)
      end
      state.previous = word
    elseif not at '%s+' and not at '%d[%w_%.]*' then
      a, b = i, i + (s:sub(i):match '^[\192-\255][\128-\191]+' or '.'):len() - 1
      state.previous = nil
    end
    if b >= i then put { kind, s:sub(i, b), target } end
    if kind == 'comment' or state.comment then state.previous = nil end
    i = math.max(b + 1, i)
  end
end

-- A chunk's lines as tokens.  `first_line` is where it begins in its source.
function M.tokens(chunk, lang, first_line, limit)
  local state, result = {}, {}
  for n, segments in ipairs(chunk.lines) do
    local tokens, width = {}, 0
    local function put(t)
      local last = tokens[#tokens]
      if last and t[1] == 'text' and last[1] == 'text' then last[2] = last[2] .. t[2]
      else tokens[#tokens + 1] = t end
    end
    for _, segment in ipairs(segments) do
      if segment[1] == 'use' then
        width = width + utf8.len(segment[2]) + 4
        put { 'use', segment[2] }
      else
        if segment[2]:find '\t' then lib.fail('a tab in code: indent by spaces', first_line and first_line + n + (chunk.skipped or 0)) end
        width = width + (utf8.len(segment[2]) or #segment[2])
        if lang == 'c' or lang == 'h' then c_tokens(segment[2], state, put, chunk)
        else put { 'text', segment[2] } end
      end
    end
    if width > limit then
      lib.fail(('code line of %d columns: at most %d'):format(width, limit),
        first_line and first_line + n + (chunk.skipped or 0))
    end
    result[#result + 1] = tokens
  end
  return result
end

-- The text of every chunk, by number, from bodies.txt.
function M.bodies()
  local bodies, number = {}, nil
  for line in io.lines(lib.out .. '/bodies.txt') do
    local n = line:match '^@chunk (%S+)'
    if n then number = n; bodies[n] = {}
    else table.insert(bodies[number], line) end
  end
  for n, lines in pairs(bodies) do bodies[n] = table.concat(lines, '\n') end
  return bodies
end

-- The same lines without the indentation that they have in common.
local function outdented(lines)
  local common
  for _, l in ipairs(lines) do
    if l[1] and (l[2] or l[1][2]:find '%S') then
      common = math.min(common or 99, #l[1][2]:match '^ *')
    end
  end
  local out = {}
  for n, l in ipairs(lines) do
    out[n] = {}
    for i, t in ipairs(l) do out[n][i] = i == 1 and { t[1], t[2]:sub(common + 1), t[3] } or t end
  end
  return out
end

-- What a slide shows of a chunk: all of it, or lines="4-8,10-17" with dots
-- between the ranges.  Returns its number, the parsed chunk, the tokens of the
-- lines to show, and what belongs below: ", lines 4–8, 10–17", and the number
-- of the chunk that continues it, or nil.
function M.excerpt(name, bodies, lines)
  local where = M.named[name]
  if not where then lib.fail(('no chunk is called "%s"'):format(name), lib.find(name)) end
  local number = where[1]
  local chunk = M.parse(bodies[number])
  local tokens = M.tokens(chunk, M.language(name), nil, 72)
  local below = ''
  if lines then
    local shown, past = {}, 0
    for range in (lines .. ','):gmatch '(.-),' do
      local first, last = range:match '^(%d+)-(%d+)$'
      first, last = tonumber(first or range), tonumber(last or range)
      if not first or first <= past or last > #tokens or last < first then
        lib.fail(('"%s" has lines 1-%d, not lines=%s'):format(name, #tokens, lines), lib.find(name))
      end
      if past > 0 and first > past + 1 then
        local left = past + 1                  -- what is left out begins here
        while left < first - 1 and not tokens[left][1] do left = left + 1 end
        local indent = tokens[left][1] and tokens[left][1][2]:match '^ *' or ''
        shown[#shown + 1] = { { 'comment', indent .. '…' } }
      end
      table.move(tokens, first, last, #shown + 1, shown)
      past = last
    end
    if lines ~= '1-' .. #tokens then
      below = (lines:find '[-,]' and ', lines ' or ', line ') .. lines:gsub('%-', '–'):gsub(',', ', ')
    end
    tokens = outdented(shown)
  end
  return number, chunk, tokens, below, where[2]
end

return M
