-- Environments, `require`, `mw.loadData`, and how a module is called.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, error, next, rawpcall, setfenv, loadstring = type, error, next, pcall, setfenv, loadstring
local pairs, tostring, setmetatable, rawset, concat = base.pairs, base.tostring, setmetatable, rawset, table.concat
local rawgetmetatable = lib.rawgetmetatable

-- Compiled modules by name, compiled once per page. Each call runs in an environment of its own.
local compiled, running = {}, {}
local function compile(name)
  local chunk = compiled[name]
  -- A module that is running keeps its environment.
  if chunk and not running[chunk] then
    host.touch(name)
    return chunk
  end
  local source = host.source(name)
  if not source then return nil end
  -- Compiled programs are refused, because Lua does not validate them.
  if string.byte(source) == 27 then error('module ' .. name .. ' is no text', 0) end
  local problem
  chunk, problem = loadstring(source, '=' .. name)
  if not chunk then error(problem, 0) end
  compiled[name] = chunk
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

-- Data --------------------------------------------------------------------------------------------------------------

-- All calls of a page share the data of `mw.loadData`, so each call gets a read-only view.
local function problemOf(value, seen)
  local kind = type(value)
  if kind == 'nil' or kind == 'boolean' or kind == 'number' or kind == 'string' then return nil end
  if kind ~= 'table' then return "data for mw.loadData contains unsupported data type '" .. kind .. "'" end
  if seen[value] then return nil end
  seen[value] = true
  if rawgetmetatable(value) then return 'data for mw.loadData contains a table with a metatable' end
  for key, item in next, value do
    if type(key) == 'table' then return 'data for mw.loadData contains a table as a key' end
    local problem = problemOf(key, seen) or problemOf(item, seen)
    if problem then return problem end
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
      -- Modules look for this mark. The table is not the metatable, so changing it has no effect.
      __metatable = { mw_loadData = true },
      __index = function(_, key) return view(value[key]) end,
      __newindex = function() error('table from ' .. reader .. ' is read-only', 2) end,
      __pairs = function()
        return function(_, key)
          local after, item = next(value, key)
          return after, view(item)
        end, proxy, nil
      end,
      __ipairs = function()
        return function(_, i)
          local item = value[i + 1]
          if item ~= nil then return i + 1, view(item) end
        end, proxy, 0
      end,
    })
  end
  return view
end

-- Tables by name, or the reason why there is none. `read` runs once per page, in a frame without arguments, because all calls
-- share what it returns. The host records what it asked for, and counts that as asked by each call that uses the data.
local data = {}
local function sharedData(name, reader, read)
  local known = data[name]
  if known then host.reuseData(name)
  else
    -- Data that loads itself fails with an error instead of recursing.
    data[name] = 'circular ' .. reader .. ' of ' .. name
    local before = lib.setCurrentFrame(lib.frameOf(host.beginData(name), nil, name))
    local continueRandom = lib.resetRandom()
    local isRead, value = rawpcall(read)
    continueRandom()
    lib.setCurrentFrame(before)
    host.endData(name)
    if not isRead then
      data[name] = nil
      error(value, 0)
    end
    known = value
    data[name] = known
  end
  if type(known) == 'string' then error(known, 3) end
  return viewer(reader)(known)
end

-- Environments ------------------------------------------------------------------------------------------------------

-- A module that changes a library changes only the copy of its own call. Parts of `mw` are copied when they are first used.
local function copyOf(list)
  local made = {}
  for name, value in next, list do made[name] = value end
  return made
end
local loading = {}
local newEnvironment
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
  local package = { loaded = loaded, preload = {} }
  env.package = package
  package.loaders = { function(name) return package.preload[name] end }
  function package.seeall(module)
    lib.util.checkType('seeall', 1, module, 'table')
    local meta = base.getmetatable(module) or {}
    meta.__index = env
    setmetatable(module, meta)
  end
  loaded._G, loaded.package = env, env.package
  function env.require(name)
    if type(name) ~= 'string' then lib.refuse('require', 1, 'string', name, 2) end
    local loader
    if loaded[name] == nil then
      for _, find in base.ipairs(package.loaders) do
        loader = find(name)
        if type(loader) == 'function' then break end
        loader = nil
      end
    end
    if loaded[name] == nil and not loader and not lib.libraries[name] then
      name = host.moduleName(name) or error("module '" .. name .. "' not found", 2)
    end
    local known = loaded[name]
    if known == loading then error("loop or previous error loading module '" .. name .. "'", 2) end
    if known ~= nil then return known end
    loaded[name] = loading
    local value
    if loader then value = loader(name)
    elseif lib.libraries[name] then value = lib.libraries[name](env)
    else value = execute(name, env, 2) end
    if value then loaded[name] = value end
    if loaded[name] == loading then loaded[name] = true end
    return loaded[name]
  end
  function env.mw.loadData(name)
    if type(name) ~= 'string' then lib.refuse('mw.loadData', 1, 'string', name, 2) end
    local module = host.moduleName(name) or error("module '" .. name .. "' not found", 2)
    local view = sharedData(module, 'mw.loadData', function()
      if not compile(module) then return "module '" .. name .. "' not found" end
      local value = execute(module, newEnvironment(), 3)
      if type(value) ~= 'table' then return name .. ' returned ' .. type(value) .. ', table expected' end
      return problemOf(value, {}) or value
    end)
    return view
  end
  function env.mw.loadJsonData(name)
    if type(name) ~= 'string' then lib.refuse('mw.loadJsonData', 1, 'string', name, 2) end
    local view = sharedData('JSON ' .. name, 'mw.loadJsonData', function()
      local text = host.pageText(name)
      if not text then return "bad argument #1 to 'mw.loadJsonData' ('" .. name .. "' is not a valid JSON page)" end
      local value = mw.text.jsonDecode(text)
      return type(value) == 'table' and value or name .. ' returned ' .. type(value) .. ', table expected'
    end)
    return view
  end
  return env
end

-- Runs a call of a module. `id`: its frame; `parentId`: the frame of the page or template that contains the call.
function lib.run(name, functionName, id, parentId, parentTitle)
  -- The call around this one goes on with its own sequence, as it does if this call is not run again.
  local continueRandom = lib.resetRandom()
  local env = newEnvironment()
  local frame = lib.frameOf(id, lib.frameOf(parentId, nil, parentTitle), name)
  local before = lib.setCurrentFrame(frame)
  local ok, result = rawpcall(function()
    local module = execute(name, env, 0)
    if type(module) ~= 'table' then
      error('The module returned a ' .. type(module) .. '. It is supposed to return an export table.', 0)
    end
    local f = module[functionName]
    if f == nil then error('The function "' .. functionName .. '" does not exist.', 0) end
    if type(f) ~= 'function' then error('"' .. functionName .. '" is not a function.', 0) end
    local results = { f(frame) }
    local count = #results
    for i = 1, count do results[i] = tostring(results[i]) end
    return concat(results)
  end)
  lib.setCurrentFrame(before)
  continueRandom()
  if not ok then error(type(result) == 'string' and result or tostring(result), 0) end
  return result
end

return lib
