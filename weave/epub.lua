-- The EPUB's source for pandoc.  Argument: folder.  In: what weave/pages.lua
-- loads.  Out: book.md, in which chapters and sections are pandoc's headings
-- (it cuts files and makes the contents of them) and all else is raw HTML, and
-- epub.yaml.  The programs are part of it, as weave/programs.lua lists them.  pandoc does not rewrite raw links: they say chNNN.xhtml#id.
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local pages, programs = require 'pages', require 'programs'
local out, file = {}, {}

local function markdown(html)                  -- a heading's text
  local function quote(s) return (s:gsub('%p', '\\%0')) end
  local list = {}
  html = html:gsub('<a class="pl".-</a>', ''):gsub('<span class="n">(.-)</span>', '\1n%1\2')
    :gsub('<code>(.-)</code>', '\1c%1\2'):gsub('<em>(.-)</em>', '\1e%1\2')
  html = pages.plain(html)
  local from = 1
  for a, kind, text, b in html:gmatch '()\1(%a)(.-)\2()' do
    list[#list + 1] = quote(html:sub(from, a - 1))
    list[#list + 1] = kind == 'n' and '[' .. quote(text) .. ']{.n}'
      or kind == 'c' and '`` ' .. text .. ' ``' or '*' .. quote(text) .. '*'
    from = b
  end
  return table.concat(list) .. quote(html:sub(from))
end

local raw = {}
local function flush()
  if #raw == 0 then return end
  out[#out + 1] = '``````````````{=html}\n' .. table.concat(raw, '\n') .. '\n``````````````\n'
  raw = {}
end
local function place(page, id) return file[page] and file[page] .. '#' .. id or nil end

pages.load()
table.insert(pages.pages, 1, { id = 'about', number = '', title = 'About this book',
  body = '<h1 id="chap-about">About this book</h1>\n' .. pages.notice })
for i, page in ipairs(pages.pages) do file[page.id] = ('ch%03d.xhtml'):format(i) end
for _, page in ipairs(pages.pages) do
  local body = page.body:gsub('<p class="see".-</p>\n?', ''):gsub('<div class="only">.-</div>\n?', '')
    :gsub('<p class="listing">.-(<code>(.-)</code>)</a></p>', function(name, path)
      return '<p>' .. name .. '</p>\n' .. programs.html(path, path:gsub('/', '-'))
    end)
    :gsub('<a class="fig"[^>]*>(<img.-)</a>', '%1'):gsub(' role="doc%-%a+"', '')
  body = pages.resolve(body, place)
  for line in (body .. '\n'):gmatch '(.-)\n' do
    local level, attributes, title = line:match '^<h([12])([^>]*)>(.*)</h[12]>$'
    if level then
      flush()
      local id = attributes:match 'id="(.-)"'
      out[#out + 1] = ('%s %s {%s}\n'):format(('#'):rep(tonumber(level)), markdown(title), id and '#' .. id or '.unnumbered')
    else
      raw[#raw + 1] = line:gsub('<a class="pl".-</a>', '')
    end
  end
  flush()
end
pages.write(arg[1] .. '/book.md', table.concat(out, '\n'))
pages.write(arg[1] .. '/epub.yaml', ([[
---
title: Programming with RDMA
subtitle: A literate course
author: The authors of the course
lang: en
identifier: urn:uuid:5d0a2a3e-3b5f-4c57-9d0f-6a1f0c2c7b11
date: %s
rights: Copyright © The authors of the course. GNU Free Documentation License, Version 1.3 or any later version; the programs also under the BSD-2-Clause license.
...
]]):format(os.date('!%Y-%m-%d', tonumber(os.getenv 'SOURCE_DATE_EPOCH' or 0))))
