-- First pass.  In: a chapter's Markdown.  Out (as plain text): one line a
-- label, tab-separated: kind, identifier, number, chapter.
-- Numbers are chapter.n in the order of the source; in an unnumbered chapter
-- there are none.  Slides are not part of the book, but their names are kept.
package.path = PANDOC_SCRIPT_FILE:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local lib = require 'lib'

local out, seen = {}, {}
local count = { sec = 0, sub = 0, fig = 0, tab = 0, ex = 0 }
local chapter = lib.chapter.number

local function label(kind, id, number)
  if id == '' then return end
  if seen[id] then lib.fail('"' .. id .. '" is used twice', lib.find('#' .. id)) end
  seen[id] = true
  out[#out + 1] = table.concat({ kind, id, number, lib.id }, '\t')
end

local function numbered(kind)
  count[kind] = count[kind] + 1
  return (chapter == '' and '' or chapter .. '.') .. count[kind]
end

local function expect(kind, id)
  if id ~= '' and not id:match('^' .. kind .. ':.') then
    lib.fail(('"%s" should begin with %s:'):format(id, kind), lib.find('#' .. id))
  end
end

local collect
local walker = { traverse = 'topdown' }

function walker.Header(h)
  if h.level == 1 or lib.is(h, 'unnumbered') then
    label('chap', h.level == 1 and 'chap:' .. h.identifier or h.identifier, chapter)
  elseif h.level <= 3 then
    expect('sec', h.identifier)
    local number
    if h.level == 2 then
      number = numbered 'sec'; count.sub = 0
    else
      count.sub = count.sub + 1
      number = ('%s%d.%d'):format(chapter == '' and '' or chapter .. '.', count.sec, count.sub)
    end
    label('sec', h.identifier, chapter == '' and '' or number)
  else
    expect('sec', h.identifier)
    label('sec', h.identifier, '')
  end
  return nil, false
end

function walker.Para(p)
  if #p.content == 1 and p.content[1].t == 'Image' and #p.content[1].caption > 0 then
    expect('fig', p.content[1].identifier)
    label('fig', p.content[1].identifier, numbered 'fig')
    return nil, false
  end
end

function walker.CodeBlock(b)
  if lib.is(b, 'run') then expect('run', b.identifier) end
end

function walker.Div(d)
  if lib.is(d, 'slide') then
    expect('slide', d.identifier)
    label('slide', d.identifier, '')
    return nil, false
  elseif lib.is(d, 'exercise') then
    expect('ex', d.identifier)
    label('ex', d.identifier, numbered 'ex')
  elseif d.identifier:match '^tab:' then
    label('tab', d.identifier, numbered 'tab')
  end
end

function Pandoc(doc)
  doc:walk(walker)
  return pandoc.Pandoc { pandoc.RawBlock('plain', table.concat(out, '\n')) }
end
