-- `mw.text`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, sub, concat, format, error = type, base.tostring, string.sub, table.concat, string.format, error
local gsub, find = base.string.gsub, base.string.find
local ipairs, sort = base.ipairs, table.sort
local check, refuse = lib.util.checkType, lib.refuse
local text = {}
mw.text = text

-- Functions that hand a text to `mw.ustring` refuse others in its words, as in Scribunto.
local function textOf(s, name)
  local kind = type(s)
  if kind == 'number' then return tostring(s) end
  if kind ~= 'string' then refuse(name, 1, 'string', s, 3) end
  return s
end

local encodable = { ['<'] = '&lt;', ['>'] = '&gt;', ['&'] = '&amp;', ['"'] = '&quot;', ["'"] = '&#039;', ['\194\160'] = '&nbsp;' }

function text.encode(s, charset)
  s = textOf(s, 'gsub')
  if charset == nil then
    s = gsub(s, '[<>&"\']', encodable)
    return (gsub(s, '\194\160', '&nbsp;'))
  end
  return (mw.ustring.gsub(s, '[' .. charset .. ']', function(one)
    return encodable[one] or format('&#%d;', mw.ustring.codepoint(one))
  end))
end

function text.decode(s, decodeNamed)
  s = textOf(s, 'gsub')
  return host.decodeEntities(s, decodeNamed and true or false)
end

function text.trim(s, charset)
  s = textOf(s, 'gsub')
  if charset ~= nil then
    return (mw.ustring.gsub(mw.ustring.gsub(s, '^[' .. charset .. ']+', ''), '[' .. charset .. ']+$', ''))
  end
  -- Scans from the end, because a pattern would try every run of white space.
  local last = #s
  while last > 0 and string.find(s, '^[\t\r\n\f ]', last) do last = last - 1 end
  return sub(s, string.find(s, '[^\t\r\n\f ]') or last + 1, last)
end

function text.gsplit(s, pattern, isPlain)
  local isAscii
  s = textOf(s, 'len')
  local length = mw.ustring.len(s)
  local from, seek, cut = 1, mw.ustring.find, mw.ustring.sub
  return function()
    if not from then return nil end
    if isAscii == nil then
      -- Checks the arguments; `string` is faster over ASCII.
      seek(s, pattern, 1, isPlain)
      isAscii = not (string.find(s, '[\128-\255]') or string.find(pattern, '[\128-\255]') or string.find(pattern, '%%[pP]'))
      if isAscii then seek, cut = find, sub end
    end
    local first, last = seek(s, pattern, from, isPlain)
    local part
    if not first then part, from = cut(s, from), nil
    elseif last < first then
      -- An empty match splits after each character.
      part, from = cut(s, from, first), first < length and first + 1 or nil
    else part, from = first > from and cut(s, from, first - 1) or '', last + 1 end
    return part
  end, nil, nil
end
function text.split(s, pattern, isPlain)
  s = textOf(s, 'len')
  local parts = {}
  for part in text.gsplit(s, pattern, isPlain) do parts[#parts + 1] = part end
  return parts
end

function text.listToText(list, separator, conjunction)
  separator, conjunction = separator or ', ', conjunction or ' and '
  if #list < 2 then return tostring(list[1] or '') end
  return concat(list, separator, 1, #list - 1) .. conjunction .. list[#list]
end

local escapes = {
  ['"'] = '&#34;', ['&'] = '&#38;', ["'"] = '&#39;', ['<'] = '&#60;', ['='] = '&#61;', ['>'] = '&#62;',
  ['['] = '&#91;', [']'] = '&#93;', ['{'] = '&#123;', ['|'] = '&#124;', ['}'] = '&#125;',
}
-- Protocols without slashes, in any case: `[mM][aA]…`.
local protocols = {}
for name in string.gmatch('bitcoin geo magnet mailto matrix news sip sips sms tel urn xmpp', '%a+') do
  protocols[#protocols + 1] = '(' .. gsub(name, '%a', function(one) return '[' .. string.upper(one) .. one .. ']' end) .. '):'
end
local function escapeCharacter(one) return '&#' .. string.byte(one) .. ';' end
function text.nowiki(s)
  s = textOf(s, 'gsub')
  s = '\n' .. gsub(s, '["&\'<=>%[%]{|}]', escapes)
  s = gsub(s, '([\r\n])([#*:; \n\r\t])', function(line, one)
    if line == '\r' and one == '\n' then return '&#13;\n' end
    return line .. escapeCharacter(one)
  end)
  s = gsub(s, '([\r\n])%-%-%-%-', '%1&#45;---')
  s = gsub(sub(s, 2), '__', '_&#95;')
  s = gsub(s, '://', '&#58;//')
  for _, word in ipairs { 'ISBN', 'RFC', 'PMID' } do
    s = gsub(s, word .. '([ \t\r\n\f])', function(space) return word .. escapeCharacter(space) end)
  end
  for _, protocol in ipairs(protocols) do s = gsub(s, protocol, '%1&#58;') end
  return s
end

function text.tag(name, attributes, content)
  local isNamed = type(name) == 'table'
  if isNamed then
    name, attributes, content = name.name, name.attrs, name.content
    lib.util.checkTypeForNamedArg('tag', 'name', name, 'string')
    lib.util.checkTypeForNamedArg('tag', 'attrs', attributes, 'table', true)
  else
    check('tag', 1, name, 'string')
    check('tag', 2, attributes, 'table', true)
  end
  local names = {}
  for key, value in base.pairs(attributes or {}) do
    local kind = type(value)
    if type(key) ~= 'string' then
      error("bad named argument attrs to 'tag' (keys must be strings, found " .. type(key) .. ')', 2)
    elseif find(key, '[\t\r\n\f /<>"\'=]') then
      error("bad named argument attrs to 'tag' (invalid key '" .. key .. "')", 2)
    elseif kind ~= 'boolean' and kind ~= 'string' and kind ~= 'number' then
      error("bad named argument attrs to 'tag' (value for key '" .. key .. "' may not be " .. kind .. ')', 2)
    end
    names[#names + 1] = key
  end
  sort(names)
  local parts = { '<' .. name }
  for _, key in ipairs(names) do
    local value = attributes[key]
    if value == true then parts[#parts + 1] = ' ' .. key
    elseif value ~= false then parts[#parts + 1] = format(' %s="%s"', key, text.encode(tostring(value))) end
  end
  if content == nil then parts[#parts + 1] = '>'
  elseif content == false then parts[#parts + 1] = ' />'
  elseif type(content) == 'string' or type(content) == 'number' then
    parts[#parts + 1] = '>' .. content .. '</' .. name .. '>'
  elseif isNamed then
    lib.util.checkTypeForNamedArg('tag', 'content', content, 'string, number, nil, or false')
  else
    check('tag', 3, content, 'string, number, nil, or false')
  end
  return concat(parts)
end

function text.truncate(s, length, ellipsis, adjusts)
  s = textOf(s, 'len')
  local has = mw.ustring.len(s)
  local most = math.abs(length)
  if has <= most then return s end
  ellipsis = ellipsis or '...'
  local room = adjusts and math.max(0, most - mw.ustring.len(ellipsis)) or most
  local short = ellipsis
  if room > 0 then
    short = length > 0 and mw.ustring.sub(s, 1, room) .. ellipsis or ellipsis .. mw.ustring.sub(s, -room)
  end
  -- An ellipsis that makes the text no shorter is not used.
  return mw.ustring.len(short) < has and short or s
end

-- Extension tags are still source text here, where MediaWiki has replaced them by markers.
local put = {}
for name in string.gmatch('gallery math nowiki poem pre ref references score syntaxhighlight templatestyles timeline', '%a+') do put[name] = true end
local function withoutTags(s, replace)
  s = gsub(s, '<(%a+)[^<>]*/>', function(name) if put[name] then return replace(name, '') end end)
  return (gsub(s, '<(%a+)[^<>]*>(.-)</(%a+)%s*>', function(name, inner, last)
    if put[name] and name == last then return replace(name, inner) end
  end))
end
function text.unstripNoWiki(s)
  check('unstripNoWiki', 1, s, 'string')
  return withoutTags(s, function(name, inner) if name == 'nowiki' then return inner end end)
end
function text.killMarkers(s)
  check('killMarkers', 1, s, 'string')
  return withoutTags(s, function() return '' end)
end
function text.unstrip(s)
  check('unstrip', 1, s, 'string')
  return text.killMarkers(text.unstripNoWiki(s))
end

return lib
