-- `mw.html`.
local _, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, concat, format, error, pcall = type, base.tostring, table.concat, string.format, error, pcall
local gsub, find, ipairs, pairs = base.string.gsub, base.string.find, base.ipairs, base.pairs
local insert, remove = table.insert, table.remove
local check, checkMulti = lib.util.checkType, lib.util.checkTypeMulti

local html, methods = {}, {}
mw.html = html
local meta = { __index = methods, __metatable = false }
local textual, optional = { 'string', 'number' }, { 'string', 'number', 'nil' }
local void = {}
for name in string.gmatch('area base br col command embed hr img input keygen link meta param source track wbr', '%a+') do void[name] = true end

local encodable = { ['<'] = '&lt;', ['>'] = '&gt;', ['&'] = '&amp;', ['"'] = '&quot;' }
local function encode(value) return (gsub(tostring(value), '[<>&"]', encodable)) end

-- Escapes colons, semicolons and non-ASCII characters, so that they cannot end a declaration.
local function escapeCss(s)
  return (mw.ustring.gsub(tostring(s), '[^\32-\57\60-\127]', function(one) return format('\\%X ', mw.ustring.codepoint(one)) end))
end

local function make(name, options, level)
  if name ~= nil and name ~= '' and not find(name, '^[%w]+$') then error("invalid tag name '" .. name .. "'", level + 1) end
  options = options or {}
  return setmetatable({
    tagName = name ~= '' and name or nil, attributes = {}, styles = {}, nodes = {}, parent = options.parent,
    selfClosing = void[name] or options.selfClosing or false,
  }, meta)
end

local function append(self, node, level)
  if self.selfClosing then error("self-closing tags can't have child nodes", level + 1) end
  if node then insert(self.nodes, node) end
  return self
end

function html.create(name, options)
  check('mw.html.create', 1, name, 'string', true)
  check('mw.html.create', 2, options, 'table', true)
  return make(name, options, 2)
end

function methods._build(self, out)
  if self.tagName then
    out[#out + 1] = '<' .. self.tagName
    for _, attribute in ipairs(self.attributes) do
      out[#out + 1] = format(' %s="%s"', attribute.name, encode(attribute.value))
    end
    if #self.styles > 0 then
      local css = {}
      for i, style in ipairs(self.styles) do
        css[i] = encode(type(style) == 'table' and escapeCss(style.name) .. ':' .. escapeCss(style.value) or style)
      end
      out[#out + 1] = ' style="' .. concat(css, ';') .. '"'
    end
    if self.selfClosing then out[#out + 1] = ' />'; return end
    out[#out + 1] = '>'
  end
  for _, node in ipairs(self.nodes) do
    if type(node) == 'table' then node:_build(out) else out[#out + 1] = tostring(node) end
  end
  if self.tagName then out[#out + 1] = '</' .. self.tagName .. '>' end
end

function meta.__tostring(self)
  local out = {}
  self:_build(out)
  return concat(out)
end
function meta.__concat(a, b) return tostring(a) .. tostring(b) end

function methods.node(self, child) return append(self, child, 2) end
function methods.wikitext(self, ...)
  for i, part in ipairs { ... } do
    checkMulti('wikitext', i, part, textual)
    append(self, part, 2)
  end
  return self
end
function methods.newline(self) return append(self, '\n', 2) end
function methods.tag(self, name, options)
  check('tag', 1, name, 'string')
  check('tag', 2, options, 'table', true)
  local child = make(name, { parent = self, selfClosing = options and options.selfClosing }, 2)
  append(self, child, 2)
  return child
end

local function attributeOf(self, name)
  for i, attribute in ipairs(self.attributes) do if attribute.name == name then return attribute, i end end
end
function methods.getAttr(self, name)
  check('getAttr', 1, name, 'string')
  local attribute = attributeOf(self, name)
  return attribute and attribute.value
end

-- Calls a setter for each pair of a table.
local function setEach(self, setter, name, given, value, requirement)
  if value ~= nil then
    error("bad argument #2 to '" .. name .. "' (if argument #1 is a table, argument #2 must be left empty)", 3)
  end
  if not pcall(function() for key, one in pairs(given) do setter(self, key, one) end end) then
    error("bad argument #1 to '" .. name .. "' (" .. requirement .. ')', 3)
  end
end

function methods.attr(self, name, value)
  if type(name) == 'table' then
    setEach(self, methods.attr, 'attr', name, value, 'table keys must be strings, and values must be strings or numbers')
    return self
  end
  check('attr', 1, name, 'string')
  checkMulti('attr', 2, value, optional)
  if name == 'style' then
    self.styles = { value }
    return self
  end
  if not find(name, '^[%a_:][%w_.:-]*$') then
    error("bad argument #1 to 'attr' (invalid attribute name '" .. name .. "')", 2)
  end
  local attribute, at = attributeOf(self, name)
  if attribute and value == nil then remove(self.attributes, at)
  elseif attribute then attribute.value = value
  elseif value ~= nil then insert(self.attributes, { name = name, value = value }) end
  return self
end
function methods.addClass(self, class)
  checkMulti('addClass', 1, class, optional)
  if class == nil then return self end
  local attribute = attributeOf(self, 'class')
  return methods.attr(self, 'class', attribute and attribute.value .. ' ' .. class or class)
end
function methods.css(self, name, value)
  if type(name) == 'table' then
    setEach(self, methods.css, 'css', name, value, 'table keys and values must be strings or numbers')
    return self
  end
  checkMulti('css', 1, name, textual)
  checkMulti('css', 2, value, optional)
  for i, style in ipairs(self.styles) do
    if type(style) == 'table' and style.name == name then
      if value == nil then remove(self.styles, i) else style.value = value end
      return self
    end
  end
  if value ~= nil then insert(self.styles, { name = name, value = value }) end
  return self
end
function methods.cssText(self, css)
  checkMulti('cssText', 1, css, optional)
  if css ~= nil then insert(self.styles, css) end
  return self
end
function methods.done(self) return self.parent or self end
function methods.allDone(self)
  while self.parent do self = self.parent end
  return self
end

return lib
