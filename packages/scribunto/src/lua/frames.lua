-- Functions of `mw` itself, and frames.
local host, lib = ...
local base = lib.base
local type, error, select, format, find, sub, concat = type, error, select, string.format, string.find, string.sub, table.concat
local rawgetmetatable, next, tonumber, rep, unpack = lib.rawgetmetatable, next, tonumber, string.rep, unpack
local pairs, ipairs, tostring, setmetatable = base.pairs, base.ipairs, base.tostring, setmetatable
local rawsetmetatable = debug.setmetatable

local mw = {}
base.mw = mw
lib.mw = mw

-- How objects of the library are copied, by metatable.
lib.cloners = {}

function mw.clone(value)
  local seen = {}
  local function copy(one)
    if type(one) ~= 'table' then return one end
    if seen[one] then return seen[one] end
    local meta = rawgetmetatable(one)
    if lib.cloners[meta] then return lib.cloners[meta](one) end
    local made = {}
    seen[one] = made
    for key, inner in pairs(one) do made[copy(key)] = copy(inner) end
    -- A copy of loaded data may be changed. Objects of the library hide their metatable and keep it.
    if meta and meta.mw_loadData then meta = nil end
    if meta and meta.__metatable == nil then meta = copy(meta) end
    rawsetmetatable(made, meta)
    return made
  end
  return copy(value)
end

function mw.allToString(...)
  local texts = {}
  for i = 1, select('#', ...) do texts[i] = tostring((select(i, ...))) end
  return concat(texts, '\t')
end

-- There is no console: logged values are checked to be text and discarded.
function mw.log(...) mw.allToString(...) end
function mw.logObject() end
function mw.addWarning(text)
  if type(text) ~= 'string' then error("bad argument #1 to 'addWarning' (string expected)", 2) end
  host.warn(text)
end
function mw.incrementExpensiveFunctionCount() host.spendLookUp() end
function mw.isSubsting() return false end

-- Values in the order of Lua's types, then by value; others are not ordered.
local function isBefore(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  if type(a) == 'string' or type(a) == 'number' then return a < b end
  return type(a) == 'boolean' and tostring(a) < tostring(b)
end
function mw.dumpObject(value)
  local names, counts, written = {}, {}, {}
  local function nameOf(one, kind)
    local text = tostring(one)
    if kind == 'table' and text ~= 'table' then
      written[one] = true
      return text
    end
    counts[kind] = (counts[kind] or 0) + 1
    return text .. '#' .. counts[kind]
  end
  local function dump(one, depth, expands)
    local kind = type(one)
    if kind == 'string' then return format('%q', one) end
    if kind == 'number' or kind == 'nil' or kind == 'boolean' then return tostring(one) end
    if not names[one] then names[one] = nameOf(one, kind) end
    if kind ~= 'table' or written[one] or not expands then return names[one] end
    written[one] = true
    local lines, space = { names[one], ' {\n' }, rep('  ', depth + 2)
    local function line(...)
      lines[#lines + 1] = space .. concat({ ... }) .. '\n'
    end
    local meta = base.getmetatable(one)
    if meta then line('metatable = ', dump(meta, depth + 2, false)) end
    local keys, isListed = {}, {}
    for key, item in ipairs(one) do
      isListed[key] = true
      line(dump(item, depth + 2, true), ',')
    end
    for key in pairs(one) do if not isListed[key] then keys[#keys + 1] = key end end
    table.sort(keys, isBefore)
    for _, key in ipairs(keys) do line('[', dump(key, depth + 3, false), '] = ', dump(one[key], depth + 2, true), ',') end
    lines[#lines + 1] = rep('  ', depth) .. '}'
    return concat(lines)
  end
  return dump(value, 0, true)
end

-- Frames -------------------------------------------------------------------------------------------------------------

local currentFrame

-- Fetches a frame's arguments once, when the first of them is read.
local function argumentsOf(id)
  local known, order
  local function read()
    if known then return end
    known, order = {}, {}
    local list = host.arguments(id)
    for i = 1, #list, 2 do
      local name = list[i]
      if find(name, '^[1-9]%d*$') and #name < 16 then name = tonumber(name) end
      known[name] = list[i + 1]
      order[#order + 1] = name
    end
  end
  local args = {}
  local function iterate(_, key)
    local at = 1
    if key ~= nil then
      -- In most cases the next key follows the last one.
      at = order.at or 1
      if order[at] ~= key then for i, one in ipairs(order) do if one == key then at = i end end end
      at = at + 1
    end
    order.at = at
    local name = order[at]
    if name ~= nil then return name, args[name] end
  end
  return setmetatable(args, {
    __index = function(_, key)
      read()
      if type(key) == 'string' and find(key, '^[1-9]%d*$') and #key < 16 then key = tonumber(key) end
      return known[key]
    end,
    __pairs = function() read() return iterate, nil, nil end,
    __ipairs = function(self)
      return function(_, i)
        local value = self[i + 1]
        if value ~= nil then return i + 1, value end
      end, nil, 0
    end,
  })
end

-- Checked arguments as a list of alternating names and values. `level`: of the line that called the method.
local function plainArguments(given, name, level)
  local list = {}
  for key, value in pairs(given or {}) do
    local kind = type(key)
    if kind ~= 'string' and kind ~= 'number' then
      error(name .. ': arg keys must be strings or numbers, ' .. kind .. ' given', level)
    end
    kind = type(value)
    if kind == 'boolean' then value = value and '1' or ''
    elseif kind ~= 'string' and kind ~= 'number' then
      error(name .. ': invalid type ' .. kind .. " for arg '" .. key .. "'", level)
    end
    list[#list + 1] = tostring(key)
    list[#list + 1] = tostring(value)
  end
  return list
end

local methods = {}
-- The other methods find the frame by their first argument, and refuse what is none.
local ids = setmetatable({}, { __mode = 'k' })
local function idOf(frame, name)
  local id = ids[frame]
  if id then return id end
  error('frame:' .. name .. ': invalid frame object. Did you call ' .. name .. ' with a dot instead of a colon, i.e. frame.'
    .. name .. '() instead of frame:' .. name .. '()?', 3)
end

local function frameOf(id, parent, title)
  local frame = { args = argumentsOf(id) }
  ids[frame] = id
  for name, method in next, methods do frame[name] = method end
  function frame.getParent(self)
    idOf(self, 'getParent')
    return parent
  end
  function frame.getTitle(self)
    idOf(self, 'getTitle')
    return title
  end
  return frame
end
lib.frameOf = frameOf

local function optionOf(options, name) if type(options) == 'table' then return options[name] end return options end
-- Expands once, when its text is asked for.
local function parserValue(expand)
  local text
  return { expand = function()
    text = text or expand()
    return text
  end }
end

function methods.getArgument(self, options)
  idOf(self, 'getArgument')
  local value = self.args[optionOf(options, 'name')]
  return value ~= nil and { expand = function() return value end } or nil
end
function methods.argumentPairs(self)
  idOf(self, 'argumentPairs')
  return pairs(self.args)
end
function methods.preprocess(self, options)
  local id = idOf(self, 'preprocess')
  return host.preprocess(id, tostring(optionOf(options, 'text')))
end
function methods.newParserValue(self, options)
  idOf(self, 'newParserValue')
  return parserValue(function() return methods.preprocess(self, options) end)
end

-- Title and arguments of a template, checked.
local function templateOf(options, name)
  if type(options) ~= 'table' then error('frame:' .. name .. ': the first parameter must be a table', 3) end
  if options.title == nil then error('frame:' .. name .. ': a title is required', 3) end
  if options.args ~= nil and type(options.args) ~= 'table' then error('frame:' .. name .. ': args must be a table', 3) end
  local title = options.title
  -- A page of the main namespace is no template.
  if type(title) == 'table' and title.namespace == 0 then title = ':' .. tostring(title) end
  return tostring(title), plainArguments(options.args, 'frame:' .. name, 4)
end
function methods.newTemplateParserValue(self, options)
  idOf(self, 'newTemplateParserValue')
  templateOf(options, 'newTemplateParserValue')
  return parserValue(function() return methods.expandTemplate(self, options) end)
end
function methods.expandTemplate(self, options)
  local id = idOf(self, 'expandTemplate')
  local title, list = templateOf(options, 'expandTemplate')
  local text = host.include(id, title, list)
  if text then return text end
  if not mw.title.new(title, 10) then error('expandTemplate: invalid title "' .. title .. '"', 2) end
  error('expandTemplate: template "' .. title .. '" does not exist', 2)
end
local function nameOf(name, what, kind)
  if name == nil then error('frame:' .. what .. ': a function name is required', 3) end
  if type(name) ~= 'string' and type(name) ~= 'number' then error('frame:' .. what .. ': ' .. kind .. ' name must be a string or number', 3) end
  return tostring(name)
end
function methods.callParserFunction(self, name, args, ...)
  local id = idOf(self, 'callParserFunction')
  if type(name) == 'table' then
    name, args = name.name, name.args
    if type(args) ~= 'table' then args = { args } end
  elseif type(args) ~= 'table' then args = { args, ... } end
  name = nameOf(name, 'callParserFunction', 'function')
  local list = plainArguments(args, 'frame:callParserFunction', 3)
  -- `#if:x` passes the first argument with the name.
  local colon, hasFirst = find(name, ':', 1, true), false
  if colon then
    for i = 1, #list, 2 do if find(list[i], '^%d+$') then list[i] = tostring(tonumber(list[i]) + 1) end end
    list[#list + 1] = '1'
    list[#list + 1] = base.string.match(sub(name, colon + 1), '^%s*(.-)%s*$')
    name = sub(name, 1, colon - 1)
  end
  for i = 1, #list, 2 do hasFirst = hasFirst or list[i] == '1' end
  if not hasFirst then
    error('callParserFunction: At least one unnamed parameter (the parameter that comes after the colon in wikitext) must be provided', 2)
  end
  return host.call(id, name, list) or error('callParserFunction: function "' .. name .. '" was not found', 2)
end
function methods.extensionTag(self, name, content, args)
  local id = idOf(self, 'extensionTag')
  if type(name) == 'table' then name, content, args = name.name, name.content, name.args end
  name = nameOf(name, 'extensionTag', 'tag')
  if content ~= nil and type(content) ~= 'string' and type(content) ~= 'number' then
    error('frame:extensionTag: content must be a string or number', 2)
  end
  local list = { '1', name, '2', content == nil and '' or tostring(content) }
  if type(args) == 'table' then
    for _, one in ipairs(plainArguments(args, 'frame:extensionTag', 3)) do list[#list + 1] = one end
  elseif type(args) == 'string' or type(args) == 'number' then
    for key, value in base.string.gmatch(args .. ' ', '([%w:_-]+)%s*=%s*(%b"")') do
      list[#list + 1] = key
      list[#list + 1] = sub(value, 2, -2)
    end
  elseif args ~= nil then error('frame:extensionTag: args must be a string, number, or table', 2) end
  return host.call(id, '#tag', list) or error('frame:extensionTag: unknown tag "' .. name .. '"', 2)
end
function methods.newChild(self, options)
  local id = idOf(self, 'newChild')
  if type(options) ~= 'table' then error('frame:newChild: the first parameter must be a table', 2) end
  if options.args ~= nil and type(options.args) ~= 'table' then error('frame:newChild: args must be a table', 2) end
  local list = plainArguments(options.args, 'frame:newChild', 3)
  local title = self:getTitle()
  if options.title ~= nil then
    local named = mw.title.new(tostring(options.title)) or error('newChild: invalid title', 2)
    title = named.prefixedText
  end
  return frameOf(host.newFrame(id, list) or error('newChild: too many frames', 2), self, title)
end

function mw.getCurrentFrame() return currentFrame end
function lib.setCurrentFrame(frame)
  local before = currentFrame
  currentFrame = frame
  return before
end
-- Calls a parser function on behalf of the library itself.
function lib.call(name, ...)
  local list = {}
  for i = 1, select('#', ...) do
    list[#list + 1] = tostring(i)
    list[#list + 1] = tostring((select(i, ...)))
  end
  return host.call(ids[currentFrame], name, list)
end

return lib
