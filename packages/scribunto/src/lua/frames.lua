-- Frames, environments, `require`, `mw.loadData`, and how a module is called.
local host, lib = ...
local base = lib.base
local type, error, select, format, find, sub, concat = type, error, select, string.format, string.find, string.sub, table.concat
local rawgetmetatable, next, tonumber, rawpcall, setfenv = lib.rawgetmetatable, next, tonumber, pcall, setfenv
local pairs, ipairs, tostring, setmetatable, rawset = base.pairs, base.ipairs, base.tostring, setmetatable, rawset
local rawsetmetatable = debug.setmetatable

local mw = {}
base.mw = mw
lib.mw = mw

function mw.clone(value)
  local seen = {}
  local function copy(one)
    if type(one) ~= 'table' then return one end
    if seen[one] then return seen[one] end
    local made = {}
    seen[one] = made
    for key, inner in pairs(one) do made[copy(key)] = copy(inner) end
    local meta = rawgetmetatable(one)
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
function mw.addWarning(text) host.warn(tostring(text)) end
function mw.incrementExpensiveFunctionCount() host.spendLookUp() end
function mw.isSubsting() return false end

function mw.dumpObject(value)
  local seen, count = {}, 0
  local function dump(one, indent)
    if type(one) == 'string' then return format('%q', one) end
    if type(one) ~= 'table' then return tostring(one) end
    if seen[one] then return seen[one] end
    count = count + 1
    seen[one] = 'table#' .. count
    local lines = { seen[one] .. ' {\n' }
    local inner = indent .. '  '
    local keys, done = {}, {}
    for i, item in ipairs(one) do
      done[i] = true
      lines[#lines + 1] = inner .. dump(item, inner) .. ',\n'
    end
    for key in pairs(one) do if not done[key] then keys[#keys + 1] = key end end
    table.sort(keys, function(a, b)
      if type(a) == type(b) and (type(a) == 'number' or type(a) == 'string') then return a < b end
      return type(a) < type(b)
    end)
    for _, key in ipairs(keys) do
      lines[#lines + 1] = inner .. '[' .. dump(key, inner) .. '] = ' .. dump(one[key], inner) .. ',\n'
    end
    lines[#lines + 1] = indent .. '}'
    return concat(lines)
  end
  return dump(value, '')
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

local function plainArguments(given)
  local list = {}
  for key, value in pairs(given or {}) do
    if type(value) ~= 'string' and type(value) ~= 'number' and type(value) ~= 'boolean' then value = tostring(value) end
    list[#list + 1] = tostring(key)
    list[#list + 1] = tostring(value)
  end
  return list
end

local methods = {}
-- `getParent` and `getTitle` are closures of each frame; the other methods find the frame by their first argument.
local ids = setmetatable({}, { __mode = 'k' })
local function idOf(frame, name)
  return ids[frame] or error('frame:' .. name .. ': invalid frame. Did you call it with a dot instead of a colon?', 3)
end

local function frameOf(id, parent, title)
  local frame = { args = argumentsOf(id) }
  ids[frame] = id
  for name, method in next, methods do frame[name] = method end
  function frame.getParent() return parent end
  function frame.getTitle() return title end
  return frame
end

local function optionOf(options, name) if type(options) == 'table' then return options[name] end return options end

function methods.getArgument(self, options)
  local value = self.args[optionOf(options, 'name')]
  if value ~= nil then return { expand = function() return value end } end
end
function methods.argumentPairs(self) return pairs(self.args) end
function methods.preprocess(self, options)
  return host.preprocess(idOf(self, 'preprocess'), tostring(optionOf(options, 'text')))
end
function methods.newParserValue(self, options)
  return { expand = function() return methods.preprocess(self, options) end }
end
function methods.newTemplateParserValue(self, options)
  return { expand = function() return methods.expandTemplate(self, options) end }
end
function methods.expandTemplate(self, options)
  local id = idOf(self, 'expandTemplate')
  if type(options) ~= 'table' or options.title == nil then error('frame:expandTemplate: a title is required', 2) end
  return host.include(id, tostring(options.title), plainArguments(options.args))
    or error('expandTemplate: template "' .. tostring(options.title) .. '" does not exist', 2)
end
function methods.callParserFunction(self, name, args, ...)
  local id = idOf(self, 'callParserFunction')
  if type(name) == 'table' then name, args = name.name, name.args
  elseif type(args) ~= 'table' then args = { args, ... } end
  if name == nil then error('callParserFunction: a function name is required', 2) end
  name, args = tostring(name), plainArguments(args)
  -- `#if:x` passes the first argument with the name.
  local colon = find(name, ':', 1, true)
  if colon then
    for i = 1, #args, 2 do if find(args[i], '^%d+$') then args[i] = tostring(tonumber(args[i]) + 1) end end
    args[#args + 1], args[#args + 2] = '1', sub(name, colon + 1)
    name = sub(name, 1, colon - 1)
  end
  return host.call(id, name, args) or error('callParserFunction: function "' .. name .. '" was not found', 2)
end
function methods.extensionTag(self, name, content, args)
  local id = idOf(self, 'extensionTag')
  if type(name) == 'table' then name, content, args = name.name, name.content, name.args end
  local list = { 1, tostring(name), 2, content == nil and '' or tostring(content) }
  if type(args) == 'string' then
    for key, value in base.string.gmatch(args, '([%w-]+)%s*=%s*"([^"]*)"') do
      list[#list + 1] = key
      list[#list + 1] = value
    end
  else
    local plain = plainArguments(args)
    for i = 1, #plain do list[#list + 1] = plain[i] end
  end
  for i = 1, 3, 2 do list[i] = tostring(list[i]) end
  return host.call(id, '#tag', list) or error('frame:extensionTag: unknown tag "' .. tostring(name) .. '"', 2)
end
function methods.newChild(self, options)
  local id = idOf(self, 'newChild')
  options = options or {}
  return frameOf(host.newFrame(id, plainArguments(options.args)), self, options.title or self:getTitle())
end

function mw.getCurrentFrame() return currentFrame end
-- Calls a parser function on behalf of the library itself.
function lib.call(name, ...)
  local list = {}
  for i = 1, select('#', ...) do
    list[#list + 1] = tostring(i)
    list[#list + 1] = tostring((select(i, ...)))
  end
  return host.call(ids[currentFrame], name, list)
end

-- Modules ------------------------------------------------------------------------------------------------------------

-- Compiled modules by name, compiled once per page. Each call runs in an environment of its own.
local compiled, running = {}, {}
local function compile(name)
  local chunk = compiled[name]
  -- A module that is running keeps its environment.
  if not chunk or running[chunk] then
    local source = host.source(name)
    if not source then return nil end
    -- Compiled programs are refused, because Lua does not validate them.
    if string.byte(source) == 27 then error('module ' .. name .. ' is no text', 0) end
    local problem
    chunk, problem = loadstring(source, '=' .. name)
    if not chunk then error(problem, 0) end
    compiled[name] = chunk
  end
  return chunk
end
local function execute(name, env, level)
  local chunk = compile(name)
  if not chunk then error("module '" .. name .. "' not found", level + 1) end
  running[chunk] = true
  local value = setfenv(chunk, env)(name)
  running[chunk] = nil
  return value
end

lib.libraries = {}

-- All calls of a page share the data of `mw.loadData`, so each call gets a read-only view.
local data = {}
local function checkData(value, seen)
  local kind = type(value)
  if kind == 'function' then error("data for mw.loadData contains unsupported data type 'function'", 0) end
  if kind ~= 'table' or seen[value] then return end
  seen[value] = true
  if rawgetmetatable(value) then error('data for mw.loadData contains a table with a metatable', 0) end
  for key, item in next, value do
    if type(key) == 'table' then error('data for mw.loadData contains a table as a key', 0) end
    checkData(key, seen)
    checkData(item, seen)
  end
end
local function viewer(reader)
  local views = {}
  local function view(value)
    if type(value) ~= 'table' then return value end
    if views[value] then return views[value] end
    local proxy = {}
    views[value] = proxy
    return setmetatable(proxy, {
      mw_loadData = true,
      __metatable = false,
      __index = function(_, key) return view(value[key]) end,
      __newindex = function() error('table from ' .. reader .. ' is read-only', 2) end,
      __pairs = function()
        return function(_, key)
          local after, item = next(value, key)
          return after, view(item)
        end, nil, nil
      end,
      __ipairs = function()
        return function(_, i)
          local item = value[i + 1]
          if item ~= nil then return i + 1, view(item) end
        end, nil, 0
      end,
    })
  end
  return view
end

local newEnvironment
local function dataOf(name)
  local known = data[name]
  if known == nil then
    -- Data that loads itself fails with an error instead of recursing.
    data[name] = false
    known = execute(name, newEnvironment(), 3)
    if type(known) ~= 'table' then error(name .. ' returned ' .. type(known) .. ', table expected', 3) end
    checkData(known, {})
    data[name] = known
  end
  return known or error('circular mw.loadData of ' .. name, 3)
end

-- A module that changes a library changes only the copy of its own call. Parts of `mw` are copied when they are first used.
local function copyOf(list)
  local made = {}
  for name, value in next, list do made[name] = value end
  return made
end
function newEnvironment()
  local env, loaded = copyOf(base), {}
  for name, value in next, base do
    if type(value) == 'table' then
      env[name] = copyOf(value)
      loaded[name] = env[name]
    end
  end
  for name, value in next, mw do if type(value) == 'table' then env.mw[name] = nil end end
  setmetatable(env.mw, {
    __metatable = false,
    __index = function(self, name)
      local part = mw[name]
      if part == nil then return nil end
      part = mw.clone(part)
      rawset(self, name, part)
      return part
    end,
  })
  env._G = env
  env.package = { loaded = loaded, loaders = {}, preload = {} }
  loaded._G, loaded.package = env, env.package
  function env.require(name)
    name = tostring(name)
    if loaded[name] ~= nil then return loaded[name] end
    local value
    if lib.libraries[name] then value = lib.libraries[name](env)
    else
      name = host.moduleName(name) or error("module '" .. name .. "' not found", 2)
      if loaded[name] ~= nil then return loaded[name] end
      value = execute(name, env, 2)
    end
    if value == nil then value = true end
    loaded[name] = value
    return value
  end
  function env.mw.loadData(name)
    local module = host.moduleName(tostring(name)) or error("module '" .. tostring(name) .. "' not found", 2)
    return viewer('mw.loadData')(dataOf(module))
  end
  function env.mw.loadJsonData(name)
    if type(name) ~= 'string' then
      error("bad argument #1 to 'mw.loadJsonData' (string expected, got " .. type(name) .. ')', 2)
    end
    if not data['JSON ' .. name] then
      data['JSON ' .. name] = env.mw.text.jsonDecode(host.pageText(name) or error('no such page: ' .. name, 2))
    end
    return viewer('mw.loadJsonData')(data['JSON ' .. name])
  end
  return env
end

-- Runs a call of a module. `id`: its frame; `parentId`: the frame of the page or template that contains the call.
function lib.run(name, functionName, id, parentId, parentTitle)
  local before = currentFrame
  lib.resetRandom()
  local env = newEnvironment()
  currentFrame = frameOf(id, frameOf(parentId, nil, parentTitle), name)
  local ok, result = rawpcall(function()
    local module = execute(name, env, 0)
    if type(module) ~= 'table' then error('The module returned no table, but a ' .. type(module) .. '.', 0) end
    local f = module[functionName]
    if f == nil then error("The function '" .. functionName .. "' does not exist.", 0) end
    if type(f) ~= 'function' then error("'" .. functionName .. "' is no function.", 0) end
    local results = { f(currentFrame) }
    local count = #results
    for i = 1, count do results[i] = tostring(results[i]) end
    return concat(results)
  end)
  currentFrame = before
  if not ok then error(type(result) == 'string' and result or tostring(result), 0) end
  return result
end

return lib
