-- What the filters share.  In: build/weave/*.tsv and the environment
-- (WEAVE_ID the chapter, WEAVE_OUT build/weave, WEAVE_BOOK book).
-- Out: tables, and fail(), which ends the weave with one line.
local M = {}

M.id   = os.getenv 'WEAVE_ID' or ''
M.out  = os.getenv 'WEAVE_OUT' or 'build/weave'
M.book = os.getenv 'WEAVE_BOOK' or 'book'

function M.rows(path)
  local f, rows = io.open(path), {}
  if not f then return rows end
  for line in f:lines() do
    local row = {}
    for field in (line .. '\t'):gmatch '([^\t]*)\t' do row[#row + 1] = field end
    rows[#rows + 1] = row
  end
  f:close()
  return rows
end

-- The manifest: by identifier {kind, number, id, file, title, part}.
M.chapters = {}
for _, r in ipairs(M.rows(M.out .. '/manifest.tsv')) do
  M.chapters[r[3]] = { kind = r[1], number = r[2], id = r[3], file = r[4], title = r[5] }
end
M.chapter = M.chapters[M.id] or { number = '', file = M.id, kind = '' }

function M.fail(message, line)
  io.stderr:write(('weave: %s:%s %s\n'):format(M.chapter.file,
    line and (line .. ':') or '', message))
  os.exit(1)
end

-- The same, but only a warning when DRAFT is set: a chapter whose transcripts
-- or neighbours do not exist yet can be looked at.
function M.complain(message, line)
  if (os.getenv 'DRAFT' or '') == '' then M.fail(message, line) end
  io.stderr:write(('weave: %s:%s %s (draft)\n'):format(M.chapter.file,
    line and (line .. ':') or '', message))
end

-- The first line of the chapter's source that holds the text, for messages.
function M.find(text)
  local n, f = 0, io.open(M.chapter.file)
  if not f then return nil end
  for line in f:lines() do
    n = n + 1
    if line:find(text, 1, true) then f:close(); return n end
  end
  f:close()
end

-- Which classes a Div or CodeBlock has.
function M.is(el, class) return el.classes and el.classes:includes(class) end

-- An image's drawing: its name in build/figures, its alternative text.
-- figures/NAME is drawn by hand; wire:NAME and plot:NAME by weave/wires and
-- weave/plots, from a recording.
local wires, plots
function M.figure(image)
  local alt = image.attributes.alt or ''
  local wire = image.src:match '^wire:(.*)'
  if wire then
    if not wires then
      wires = {}
      for _, r in ipairs(M.rows(M.out .. '/wires.tsv')) do
        wires[table.concat({ r[1], r[2], r[3] }, '\t')] = { name = r[4], alt = r[5] }
      end
    end
    local w = wires[table.concat({ wire, (image.attributes.show or '-'):gsub('%s+', ' '), image.attributes.rows or '-' }, '\t')]
    if not w then M.fail('"' .. image.src .. '" is a paragraph of its own: ![Caption](wire:NAME){...}', M.find(image.src)) end
    return w.name, alt ~= '' and alt or w.alt
  end
  local plot = image.src:match '^plot:(.*)'
  if plot then
    if not plots then
      plots = {}
      for _, r in ipairs(M.rows(M.out .. '/plots.tsv')) do plots[r[1]] = { name = r[2], alt = r[3] } end
    end
    if not plots[plot] then M.fail('"' .. image.src .. '" is a paragraph of its own: ![Caption](plot:NAME){...}', M.find(image.src)) end
    return plots[plot].name, alt ~= '' and alt or plots[plot].alt
  end
  local f = io.open(image.src .. '.tex')
  if f then f:close() else M.complain('there is no ' .. image.src .. '.tex', M.find(image.src)) end
  return image.src:gsub('^figures/', ''), alt, not f
end

-- How long a slide takes, and how its notes say so.
function M.minutes(slide)
  local minutes = tonumber(slide.attributes.minutes)
  if not minutes then M.fail(slide.identifier .. ' needs minutes=...', slide.attributes.line) end
  return minutes
end
function M.minutes_text(minutes, kind)
  return ('%d minute%s%s'):format(minutes, minutes == 1 and '' or 's', kind == 'core' and '' or ', ' .. kind)
end

-- A recording and the commands in the chapter: read, compare, return the
-- lines as { host, typed (boolean), text }.
function M.transcript(el)
  local id = el.identifier:gsub('^run:', '')
  local line = el.attributes.line
  local path = M.book .. '/transcripts/' .. id .. '.txt'
  local lines, typed, wanted, asked = {}, {}, {}, {}
  for text in (el.text .. '\n'):gmatch '(.-)\n' do
    local host, command = text:match '^([%w-]*)%$ (.-)%s*$'
    if host == '' then host = 'host' end
    if host then
      wanted[#wanted + 1] = host .. '$ ' .. command
      asked[#asked + 1] = { host = host, typed = true, text = command }
    elseif text:find '%S' then
      M.fail('a transcript holds lines such as "server$ command": ' .. text, line)
    end
  end
  local f = io.open(path)
  if not f then
    M.complain(('transcript run:%s is missing: run make record'):format(id), line)
    return asked
  end
  for text in f:lines() do
    local host, mark, rest = text:match '^([%w-]+)([$|]) ?(.*)$'
    if host then
      lines[#lines + 1] = { host = host, typed = mark == '$', text = rest }
      if mark == '$' then typed[#typed + 1] = host .. '$ ' .. rest:gsub('%s+$', '') end
    end
  end
  f:close()
  if table.concat(typed, '\n') ~= table.concat(wanted, '\n') then
    M.complain(('transcript run:%s is stale: run make record'):format(id), line)
    return asked
  end
  return lines
end

return M
