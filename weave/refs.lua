-- Cross-references.  In: build/weave/labels.tsv, the manifest, and Cite
-- elements such as @sec:x.  Out: "§10.3" and its like, as links.
local lib = require 'lib'
local M = { labels = {} }

for _, r in ipairs(lib.rows(lib.out .. '/labels.tsv')) do
  M.labels[r[2]] = { kind = r[1], number = r[3], chapter = r[4] }
end
for id, c in pairs(lib.chapters) do
  if c.kind == 'planned' then M.labels['chap:' .. id] = { kind = 'chap', number = c.number, chapter = id, planned = true } end
end

M.bibliography = {}
local yaml = io.open(lib.book .. '/bibliography.yaml')
for line in yaml and yaml:lines() or function() end do
  local id = line:match '^%s*-?%s*id:%s*(%S+)'
  if id then M.bibliography[id] = true end
end

local word = { fig = 'figure ', tab = 'table ', ex = 'exercise ', chap = 'chapter ' }

local function is_reference(id)
  local kind = id:match '^(%a+):'
  return kind == 'sec' or kind == 'run' or word[kind]
end

-- In a table, references are short.
function M.tables(raw)
  return { Table = function(t)
    return t:walk { Cite = function(c) return M.cite(c, raw, true) end }
  end }
end

-- At the beginning of a sentence the word has a capital.
M.capitals = {
  Inlines = function(list)
    for i, x in ipairs(list) do
      if x.t == 'Cite' then
        local before = list[i - 2]
        if i == 1 and x.citations[1].mode == 'AuthorInText'
          or before and before.t == 'Str' and before.text:match '[.?:]$'
            and not before.text:match '^[eip]%.' and list[i - 1].t ~= 'Str' then
          x.citations[1].prefix = pandoc.List { pandoc.Str 'CAPITAL' }
        end
      end
    end
    return list
  end,
}

local function text(id, capital)
  local label = M.labels[id]
  if not label then
    lib.complain(('nothing is called "%s"'):format(id), lib.find('@' .. id))
    return '??'
  end
  local c = lib.chapters[label.chapter]
  if label.kind == 'sec' and label.number ~= '' then return '§' .. label.number end
  local w = word[label.kind]
  if label.kind == 'chap' and c and c.kind == 'appendix' then w = 'appendix ' end
  if c and c.kind == 'front' then return (capital and 'The ' or 'the ') .. c.title:lower() end
  if capital then w = w:gsub('^%l', string.upper) end
  return w:gsub(' ', ' ') .. label.number
end

-- `brief` (in tables): no page.  Neither has a planned chapter.
function M.cite(cite, raw, brief)
  local first = cite.citations[1]
  local ours = 0
  for _, c in ipairs(cite.citations) do if is_reference(c.id) then ours = ours + 1 end end
  if ours == 0 then
    for _, c in ipairs(cite.citations) do
      if not M.bibliography[c.id] then
        lib.fail(('"%s" is not in the bibliography'):format(c.id), lib.find('@' .. c.id))
      end
      c.prefix = c.prefix:filter(function(x) return x.text ~= 'CAPITAL' end)
    end
    return cite
  end
  local out = pandoc.List {}
  for i, c in ipairs(cite.citations) do
    local capital = i == 1 and first.prefix[1] and first.prefix[1].text == 'CAPITAL'
    if i > 1 then out:insert(raw(i == #cite.citations and ' and ' or ', ')) end
    local shown = text(c.id, capital)
    local label = M.labels[c.id]
    if not label then out:insert(raw(shown))
    elseif brief or label.planned then out:insert(raw(('\\wlink{%s}{%s}'):format(c.id, shown)))
    else out:insert(raw(('\\wref{%s}{%s}'):format(shown, c.id)))
    end
  end
  return out
end

return M
