-- The EPUB's files.  Argument: OUT (folder).  In: what weave/pages.lua loads.
-- Out: OUT/EPUB/: a title page, a page a part and a chapter, nav.xhtml, and
-- content.opf, which lists them and the cover and figures that weave/epub puts
-- beside them.  The programs are part of it, as weave/programs.lua lists them.
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local html, pages, programs = require 'html', require 'pages', require 'programs'
local out = arg[1] .. '/EPUB/'
pages.load()

local function place(page, id)
  local program = id:match '^program/([^#]*)'
  if program then return 'programs.xhtml#sec-program-' .. program end
  return page ~= 'index' and page .. '.xhtml#' .. id or nil
end
-- What hangs below its indent, without calc(); a letter is .6 em wide.
local function hang(i)
  local em = math.min(i + 2, 24) * .6
  return ('style="padding-left:%.1fem;text-indent:-%.1fem"'):format(em, em)
end
local function xhtml(body)
  body = body:gsub('<p class="see".-</p>\n?', ''):gsub('<div class="only">.-</div>\n?', '')
    :gsub('<p class="listing">.-(<code>(.-)</code>)</a></p>', function(name, path)
      return '<p class="file">' .. name .. '</p>\n' .. programs.html(path, path:gsub('/', '-'))
    end)
    :gsub('(<span class="l"[^>]*>)(<a class="from".-</a>)', '<span class="l from">%2\n</span>%1')
    :gsub('style="%-%-i:(%d+)"', hang)
    :gsub('<a class="fig"[^>]*>(<img.-)</a>', '%1'):gsub('<a class="pl".-</a>', ''):gsub(' role="doc%-%a+"', '')
  return pages.resolve(body, place)
end

-- --- the pages, in their order: { id, name (HTML), kind, body, sections }
local list = {}
local function add(id, name, kind, body, sections)
  list[#list + 1] = { id = id, name = name, kind = kind, body = body, sections = sections or {} }
end
add('title', 'Programming with RDMA', 'frontmatter', ([[
<section epub:type="titlepage"><h1 class="title">Programming with RDMA</h1>
<p class="subtitle">A literate course</p>
<p>The authors of the course</p>
<p>This edition has chapters %s.</p>
<div class="small">%s</div></section>]]):format(pages.present(), xhtml(pages.notice)))
local part
for _, page in ipairs(pages.pages) do
  if page.kind == 'chapter' and page.part ~= part then
    part = page.part
    local entries = {}
    for i, p in ipairs(part.chapters) do
      local name = pages.name(p)
      entries[i] = '<li>' .. (p.kind == 'planned' and name .. ' <i>(to be written)</i>' or ('<a href="%s.xhtml">%s</a>'):format(p.id, name)) .. '</li>'
    end
    add('part-' .. part.number, ('Part %s: %s'):format(part.number, html.escape(part.title)), 'part',
      ('<section epub:type="part"><h1><span class="n">Part %s</span> %s</h1>\n<ul class="index">%s</ul></section>'):format(
        part.number, html.escape(part.title), table.concat(entries, '\n')))
  end
  add(page.id, pages.name(page), page.kind == 'front' and 'frontmatter' or page.kind == 'chapter' and 'chapter' or 'backmatter',
    xhtml(page.body), page.sections)
end

local function put(name, title, kind, body)
  pages.write(out .. name, ([[<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>%s</title><link rel="stylesheet" type="text/css" href="epub.css"/></head>
<body epub:type="%s">
%s
</body>
</html>
]]):format(html.escape(title), kind, body))
end

-- --- the navigation: parts hold their chapters, and these their sections
local function entry(href, name, inner) return ('<li><a href="%s">%s</a>%s</li>'):format(href, name, inner) end
local function ol(items) return #items > 0 and '<ol>\n' .. table.concat(items, '\n') .. '\n</ol>' or '' end
local nav, chapters = {}, nil
for i, page in ipairs(list) do
  put(page.id .. '.xhtml', pages.plain(page.name), (page.kind == 'chapter' or page.kind == 'part') and 'bodymatter' or page.kind, page.body)
  local sections = {}
  for k, s in ipairs(page.sections) do sections[k] = entry(page.id .. '.xhtml#' .. s.id, s.title, '') end
  if page.kind == 'part' then
    chapters = {}
    nav[#nav + 1] = { page, chapters }
  elseif page.kind == 'chapter' then
    chapters[#chapters + 1] = entry(page.id .. '.xhtml', page.name, ol(sections))
  else
    nav[#nav + 1] = { page, sections }
  end
end
local first
for i, n in ipairs(nav) do
  if n[1].kind == 'part' then first = first or n[1].id end
  nav[i] = entry(n[1].id .. '.xhtml', n[1].name, ol(n[2]))
end
put('nav.xhtml', 'Contents', 'frontmatter', ([[
<nav epub:type="toc" id="toc" role="doc-toc"><h1>Contents</h1>
%s</nav>
<nav epub:type="landmarks" hidden="hidden"><h2>Landmarks</h2><ol>
<li><a epub:type="titlepage" href="title.xhtml">Title page</a></li>
<li><a epub:type="toc" href="#toc">Contents</a></li>
<li><a epub:type="bodymatter" href="%s.xhtml">Text</a></li></ol></nav>]]):format(ol(nav), first))

-- --- what there is
local items, spine = {}, {}
for i, page in ipairs(list) do
  items[i] = ('<item id="%s" href="%s.xhtml" media-type="application/xhtml+xml"%s/>'):format(
    page.id, page.id, page.body:find('<math', 1, true) and ' properties="mathml"' or '')
  spine[i] = ('<itemref idref="%s"/>'):format(page.id)
end
local seen = {}
for _, page in ipairs(list) do
  for name in page.body:gmatch 'src="figures/([^"]*)"' do
    if not seen[name] then
      seen[name] = true
      items[#items + 1] = ('<item id="figure-%s" href="figures/%s" media-type="image/svg+xml"/>'):format(name, name)
    end
  end
end
table.insert(spine, 2, '<itemref idref="nav"/>')
pages.write(out .. 'content.opf', ([[<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:5d0a2a3e-3b5f-4c57-9d0f-6a1f0c2c7b11</dc:identifier>
<dc:title>Programming with RDMA: A literate course</dc:title>
<dc:creator>The authors of the course</dc:creator>
<dc:language>en</dc:language>
<dc:date>%s</dc:date>
<dc:rights>Copyright © The authors of the course. GNU Free Documentation License, Version 1.3 or any later version; the programs also under the BSD-2-Clause license.</dc:rights>
<meta property="dcterms:modified">%s</meta>
<meta name="cover" content="cover"/>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="css" href="epub.css" media-type="text/css"/>
<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>
%s
</manifest>
<spine>
%s
</spine>
</package>
]]):format(os.date('!%Y-%m-%d', tonumber(os.getenv 'SOURCE_DATE_EPOCH')),
  os.date('!%Y-%m-%dT%H:%M:%SZ', tonumber(os.getenv 'SOURCE_DATE_EPOCH')),
  table.concat(items, '\n'), table.concat(spine, '\n')))
