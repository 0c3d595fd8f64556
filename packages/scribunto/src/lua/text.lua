-- `mw.text` and `mw.html`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, sub, concat, format = type, base.tostring, string.sub, table.concat, string.format
local gsub, find = base.string.gsub, base.string.find
local pairs, ipairs = base.pairs, base.ipairs
local text = {}
mw.text = text

local function isAttributeName(name) return type(name) == 'string' and find(name, '^[^%s"\'<>/=]+$') ~= nil end

local encodable = { ['<'] = '&lt;', ['>'] = '&gt;', ['&'] = '&amp;', ['"'] = '&quot;', ["'"] = '&#039;', ['\194\160'] = '&nbsp;' }

function text.encode(s, charset)
  if charset == nil then
    s = gsub(s, '[<>&"\']', encodable)
    return (gsub(s, '\194\160', '&nbsp;'))
  end
  return (mw.ustring.gsub(s, '[' .. charset .. ']', function(one)
    return encodable[one] or format('&#%d;', mw.ustring.codepoint(one))
  end))
end

function text.decode(s, decodeNamed) return host.decodeEntities(s, decodeNamed == true) end

text.JSON_PRESERVE_KEYS, text.JSON_TRY_FIXING, text.JSON_PRETTY = 1, 2, 4
local function hasFlag(flags, flag) return (flags or 0) % (flag * 2) >= flag end

-- Returns the number of values if the keys are those of a list that begins at `first`, and nil otherwise.
local function lengthOf(value, first)
  local count, highest = 0, first - 1
  for key in base.pairs(value) do
    if type(key) ~= 'number' or key < first or key ~= math.floor(key) then return nil end
    count, highest = count + 1, math.max(highest, key)
  end
  return highest - first + 1 == count and count or nil
end

function text.jsonEncode(value, flags)
  local keepsKeys, isPretty = hasFlag(flags, text.JSON_PRESERVE_KEYS), hasFlag(flags, text.JSON_PRETTY)
  local seen = {}
  local function refuse(why) error('mw.text.jsonEncode: ' .. why, 0) end
  local function joined(parts, open, close, depth)
    if not isPretty or #parts == 0 then return open .. concat(parts, ',') .. close end
    local line = '\n' .. string.rep('    ', depth)
    return open .. line .. '    ' .. concat(parts, ',' .. line .. '    ') .. line .. close
  end
  local function encode(one, depth)
    local kind = type(one)
    if kind == 'nil' then return 'null' end
    if kind == 'boolean' then return tostring(one) end
    if kind == 'number' then
      if one ~= one or one == math.huge or one == -math.huge then refuse('Cannot encode non-finite numbers') end
      return one == math.floor(one) and math.abs(one) < 1e15 and format('%d', one) or format('%.14g', one)
    end
    if kind == 'string' then return host.jsonString(one) end
    if kind ~= 'table' then refuse("Cannot encode type '" .. kind .. "'") end
    if seen[one] then refuse('Cannot use recursive tables') end
    seen[one] = true
    local first = (keepsKeys or one[0] ~= nil) and 0 or 1
    local count = lengthOf(one, first)
    local parts, open, close = {}, '[', ']'
    if count then
      for i = first, first + count - 1 do parts[#parts + 1] = encode(one[i], depth + 1) end
    else
      open, close = '{', '}'
      local keys = {}
      for key in base.pairs(one) do
        if type(key) ~= 'string' and type(key) ~= 'number' then refuse("Cannot use type '" .. type(key) .. "' as a table key") end
        keys[#keys + 1] = key
      end
      table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
      local colon = isPretty and ': ' or ':'
      for i, key in ipairs(keys) do parts[i] = host.jsonString(tostring(key)) .. colon .. encode(one[key], depth + 1) end
    end
    seen[one] = nil
    return joined(parts, open, close, depth)
  end
  return encode(value, 0)
end

-- The host returns a flat list of tokens, so that Lua tables are only built here.
function text.jsonDecode(s, flags)
  local tokens = host.jsonTokens(s, hasFlag(flags, text.JSON_TRY_FIXING))
  if not tokens then error('mw.text.jsonDecode: Syntax error', 2) end
  local keepsKeys = hasFlag(flags, text.JSON_PRESERVE_KEYS)
  local at = 0
  local function value()
    at = at + 1
    local token = tokens[at]
    local kind, rest = sub(token, 1, 1), sub(token, 2)
    if kind == 's' then return rest end
    if kind == 'n' then return tonumber(rest) end
    if kind == 't' then return true end
    if kind == 'f' then return false end
    if kind == '0' then return nil end
    local made = {}
    if kind == '[' then
      for i = 1, tonumber(rest) do made[keepsKeys and i - 1 or i] = value() end
      return made
    end
    for _ = 1, tonumber(rest) do
      at = at + 1
      local key = sub(tokens[at], 2)
      made[#key < 15 and (key == '0' or find(key, '^%-?[1-9]%d*$')) and tonumber(key) or key] = value()
    end
    -- An object whose keys are 0, 1, … becomes a list.
    local count = not keepsKeys and made[0] ~= nil and lengthOf(made, 0)
    if count then for i = count, 1, -1 do made[i] = made[i - 1] end made[0] = nil end
    return made
  end
  return value()
end

function text.trim(s, charset)
  if charset ~= nil then
    return (mw.ustring.gsub(mw.ustring.gsub(s, '^[' .. charset .. ']+', ''), '[' .. charset .. ']+$', ''))
  end
  -- Scans from the end, because a pattern would try every run of white space.
  local last = #s
  while last > 0 and string.find(s, '^[\t\r\n\f ]', last) do last = last - 1 end
  return sub(s, string.find(s, '[^\t\r\n\f ]') or last + 1, last)
end

function text.split(s, pattern, isPlain)
  local parts = {}
  for part in text.gsplit(s, pattern, isPlain) do parts[#parts + 1] = part end
  return parts
end

function text.gsplit(s, pattern, isPlain)
  local isAscii = isPlain or not (string.find(s, '[\128-\255]') or string.find(pattern, '[\128-\255]'))
  local seek = isAscii and find or mw.ustring.find
  local cut = isAscii and sub or mw.ustring.sub
  local length = isAscii and #s or mw.ustring.len(s)
  local from = 1
  return function()
    if not from then return nil end
    local first, last = seek(s, pattern, from, isPlain)
    local part
    if not first then part, from = cut(s, from), nil
    elseif last < first then
      -- An empty match splits after each character.
      part, from = cut(s, from, first), first < length and first + 1 or nil
    else part, from = first > from and cut(s, from, first - 1) or '', last + 1 end
    return part
  end
end

function text.listToText(list, separator, conjunction)
  separator, conjunction = separator or ', ', conjunction or ' and '
  if #list < 2 then return tostring(list[1] or '') end
  return concat(list, separator, 1, #list - 1) .. conjunction .. list[#list]
end

function text.nowiki(s)
  s = gsub(s, '["&\'<=>%[%]{|}]', {
    ['"'] = '&#34;', ['&'] = '&#38;', ["'"] = '&#39;', ['<'] = '&#60;', ['='] = '&#61;', ['>'] = '&#62;',
    ['['] = '&#91;', [']'] = '&#93;', ['{'] = '&#123;', ['|'] = '&#124;', ['}'] = '&#125;',
  })
  s = gsub('\n' .. s, '\n([#*:; \t\r\n])', function(one) return '\n&#' .. string.byte(one) .. ';' end)
  s = gsub(s, '\n%-%-%-%-', '\n&#45;---')
  s = gsub(sub(s, 2), '://', '&#58;//')
  s = gsub(s, '__', '_&#95;')
  return (gsub(s, '([IRP][SFM][BCI][ND]?)([%s])', function(word, space)
    if word == 'RFC' or word == 'PMID' or word == 'ISBN' then return word .. '&#' .. string.byte(space) .. ';' end
  end))
end

function text.tag(name, attributes, content)
  if type(name) == 'table' then name, attributes, content = name.name, name.attrs, name.content end
  for key in base.pairs(attributes or {}) do
    if not isAttributeName(key) then
      error("bad named argument attrs to 'tag' (invalid key '" .. tostring(key) .. "')", 2)
    end
  end
  local parts = { '<' .. name }
  local names = {}
  for key in base.pairs(attributes or {}) do names[#names + 1] = key end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(names) do
    local value = attributes[key]
    if value == true then parts[#parts + 1] = ' ' .. key
    elseif value ~= false then parts[#parts + 1] = format(' %s="%s"', key, text.encode(tostring(value))) end
  end
  if content == nil then parts[#parts + 1] = '>'
  elseif content == false then parts[#parts + 1] = ' />'
  else parts[#parts + 1] = '>' .. content .. '</' .. name .. '>' end
  return concat(parts)
end

function text.truncate(s, length, ellipsis, adjusts)
  ellipsis = ellipsis or '...'
  local has = mw.ustring.len(s)
  if has <= math.abs(length) then return s end
  local room = adjusts and math.max(0, math.abs(length) - mw.ustring.len(ellipsis)) or math.abs(length)
  local short = length >= 0 and mw.ustring.sub(s, 1, room) .. ellipsis or ellipsis .. (room == 0 and '' or mw.ustring.sub(s, -room))
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
  return withoutTags(s, function(name, inner) if name == 'nowiki' then return inner end end)
end
function text.killMarkers(s) return withoutTags(s, function() return '' end) end
function text.unstrip(s) return text.killMarkers(text.unstripNoWiki(s)) end

-- HTML ---------------------------------------------------------------------------------------------------------------

-- Escapes colons, semicolons and non-ASCII characters, so that they cannot end a declaration.
local function escapeCss(s)
  return (mw.ustring.gsub(tostring(s), '[^\32-\57\60-\126]', function(one) return format('\\%X ', mw.ustring.codepoint(one)) end))
end

local html = {}
mw.html = html
local methods = {}
local meta = { __index = methods, __metatable = false }
local void = {}
for name in string.gmatch('area base br col command embed hr img input keygen link meta param source track wbr', '%a+') do void[name] = true end

local function make(name, options)
  options = options or {}
  local selfClosing = options.selfClosing
  return setmetatable({ tagName = name, attributes = {}, styles = {}, nodes = {}, isClosed = selfClosing or void[name] or false, parent = options.parent }, meta)
end

function html.create(name, options)
  if name ~= nil and (type(name) ~= 'string' or not find(name, '^%w+$')) then
    error("invalid tag name '" .. tostring(name) .. "'", 2)
  end
  return make(name, options)
end

local function write(self, out)
  if self.tagName then
    out[#out + 1] = '<' .. self.tagName
    for _, attribute in ipairs(self.attributes) do
      out[#out + 1] = format(' %s="%s"', attribute.name, (gsub(attribute.value, '[<>&"]', encodable)))
    end
    if #self.styles > 0 then
      local css = {}
      for i, style in ipairs(self.styles) do css[i] = style.text or (style.name .. ':' .. style.value) end
      out[#out + 1] = ' style="' .. gsub(concat(css, ';'), '[<>&"]', encodable) .. '"'
    end
    if self.isClosed then out[#out + 1] = ' />'; return end
    out[#out + 1] = '>'
  end
  for _, node in ipairs(self.nodes) do
    if type(node) == 'table' then write(node, out) else out[#out + 1] = node end
  end
  if self.tagName then out[#out + 1] = '</' .. self.tagName .. '>' end
end

function meta.__tostring(self)
  local out = {}
  write(self, out)
  return concat(out)
end
function meta.__concat(a, b) return tostring(a) .. tostring(b) end

function methods.node(self, child)
  if child == nil or child == '' then return self end
  if type(child) == 'table' and lib.rawgetmetatable(child) == meta then self.nodes[#self.nodes + 1] = child
  else self.nodes[#self.nodes + 1] = tostring(child) end
  return self
end
function methods.wikitext(self, ...)
  for i = 1, select('#', ...) do
    local part = select(i, ...)
    if part == nil then break end
    if type(part) ~= 'string' and type(part) ~= 'number' then
      error("bad argument #" .. i .. " to 'wikitext' (string or number expected, got " .. type(part) .. ')', 2)
    end
    if part ~= '' then self.nodes[#self.nodes + 1] = tostring(part) end
  end
  return self
end
function methods.newline(self)
  self.nodes[#self.nodes + 1] = '\n'
  return self
end
function methods.tag(self, name, options)
  local child = make(tostring(name), { parent = self, selfClosing = options and options.selfClosing })
  self.nodes[#self.nodes + 1] = child
  return child
end
function methods.attr(self, name, value)
  if type(name) == 'table' then
    for key, one in base.pairs(name) do methods.attr(self, key, one) end
    return self
  end
  if not isAttributeName(name) then
    error("bad argument #1 to 'attr' (invalid attribute name '" .. tostring(name) .. "')", 2)
  end
  if value ~= nil and type(value) ~= 'string' and type(value) ~= 'number' then
    error("bad argument #2 to 'attr' (string, number or nil expected, got " .. type(value) .. ')', 2)
  end
  if name == 'style' then
    self.styles = value ~= nil and { { text = tostring(value) } } or {}
    return self
  end
  for i, attribute in ipairs(self.attributes) do
    if attribute.name == name then
      if value == nil then table.remove(self.attributes, i) else attribute.value = tostring(value) end
      return self
    end
  end
  if value ~= nil then self.attributes[#self.attributes + 1] = { name = name, value = tostring(value) } end
  return self
end
function methods.getAttr(self, name)
  for _, attribute in ipairs(self.attributes) do if attribute.name == name then return attribute.value end end
end
function methods.addClass(self, class)
  if class == nil then return self end
  local has = self:getAttr('class')
  return self:attr('class', has and has .. ' ' .. class or tostring(class))
end
function methods.css(self, name, value)
  if type(name) == 'table' then
    for key, one in base.pairs(name) do methods.css(self, key, one) end
    return self
  end
  for i, style in ipairs(self.styles) do
    if style.name == escapeCss(name) then
      if value == nil then table.remove(self.styles, i) else style.value = escapeCss(value) end
      return self
    end
  end
  if value ~= nil then self.styles[#self.styles + 1] = { name = escapeCss(name), value = escapeCss(value) } end
  return self
end
function methods.cssText(self, css)
  if css ~= nil then self.styles[#self.styles + 1] = { text = (gsub(tostring(css), ';%s*$', '')) } end
  return self
end
function methods.done(self) return self.parent or self end
function methods.allDone(self)
  while self.parent do self = self.parent end
  return self
end

return lib
