-- `mw.uri`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, tonumber, error, rawget, rawset, pcall, next = type, base.tostring, tonumber, error, rawget, rawset, pcall, next
local find, sub, gsub, match, format, concat = base.string.find, string.sub, base.string.gsub, base.string.match, string.format, table.concat
local pairs, sort = base.pairs, table.sort
local check, checkIndex = lib.util.checkType, lib.util.checkTypeForIndex

local uri = {}
mw.uri = uri

local kinds = { QUERY = true, PATH = true, WIKI = true }
local function kindOf(kind, name)
  kind = string.upper(kind or 'QUERY')
  if not kinds[kind] then error("bad argument #2 to '" .. name .. "' (expected QUERY, PATH, or WIKI)", 3) end
  return kind
end
function uri.encode(s, kind)
  check('encode', 1, s, 'string')
  kind = kindOf(kind, 'encode')
  return host.encodeUri(s, kind)
end
function uri.decode(s, kind)
  check('decode', 1, s, 'string')
  kind = kindOf(kind, 'decode')
  return host.decodeUri(s, kind)
end
function uri.anchorEncode(s)
  check('anchorEncode', 1, s, 'string')
  return lib.call('anchorencode', s)
end

-- Queries -----------------------------------------------------------------------------------------------------------

-- A table whose pairs come in the order in which they were set.
local function newQuery()
  local keys, has = {}, {}
  return setmetatable({}, {
    __newindex = function(self, key, value)
      if has[key] then
        for i = 1, #keys do if keys[i] == key then table.remove(keys, i) break end end
      end
      has[key] = true
      keys[#keys + 1] = key
      rawset(self, key, value)
    end,
    __pairs = function(self)
      local at = 0
      return function()
        repeat at = at + 1 until keys[at] == nil or self[keys[at]] ~= nil
        if keys[at] ~= nil then return keys[at], self[keys[at]] end
      end
    end,
  })
end

function uri.buildQueryString(query)
  check('buildQueryString', 1, query, 'table')
  local names, parts = {}, {}
  for key in pairs(query) do names[#names + 1] = key end
  -- The order of plain tables is undefined, so they are sorted.
  if not lib.rawgetmetatable(query) then sort(names, function(a, b) return tostring(a) < tostring(b) end) end
  for _, key in base.ipairs(names) do
    local values = query[key]
    if type(values) ~= 'table' then values = { values } end
    for i = 1, #values do
      local name = host.encodeUri(tostring(key), 'QUERY')
      parts[#parts + 1] = values[i] and name .. '=' .. host.encodeUri(tostring(values[i]), 'QUERY') or name
    end
  end
  return concat(parts, '&')
end
function uri.parseQueryString(s, from, to)
  check('parseQueryString', 1, s, 'string')
  check('parseQueryString', 2, from, 'number', true)
  check('parseQueryString', 3, to, 'number', true)
  local query = newQuery()
  s = gsub(sub(s, from or 1, to or -1), '^%?', '')
  if s == '' then return query end
  for part in string.gmatch(s .. '&', '([^&]*)&') do
    local key, value = match(part, '^([^=]*)=(.*)$')
    key, value = host.decodeUri(key or part, 'QUERY'), key ~= nil and host.decodeUri(value, 'QUERY')
    local known = query[key]
    if not known then query[key] = value
    elseif type(known) == 'table' then known[#known + 1] = value
    else query[key] = { known, value } end
  end
  return query
end

-- Addresses ---------------------------------------------------------------------------------------------------------

local stored = { 'protocol', 'user', 'password', 'host', 'port', 'path', 'query', 'fragment' }
local methods, read, write = {}, {}, {}
local meta = { __metatable = false }

function read.userInfo(self)
  local user, password = rawget(self, 'user'), rawget(self, 'password')
  return user and password and user .. ':' .. password or user
end
function read.hostPort(self)
  local name, port = rawget(self, 'host'), rawget(self, 'port')
  return port and (name or '') .. ':' .. port or name
end
function read.authority(self)
  return self.userInfo and self.userInfo .. '@' .. (self.hostPort or '') or self.hostPort
end
function read.queryString(self)
  local query = rawget(self, 'query')
  return query and uri.buildQueryString(query) or nil
end
function read.relativePath(self)
  local query, fragment = self.queryString, rawget(self, 'fragment')
  return (rawget(self, 'path') or '') .. (query and '?' .. query or '') .. (fragment and '#' .. fragment or '')
end

function write.userInfo(self, value)
  local user, password
  if value then
    user, password = match(value, '^([^:]*):(.*)$')
    user = user or value
  end
  rawset(self, 'user', user)
  rawset(self, 'password', password)
end
function write.hostPort(self, value)
  local name, port
  if value then
    name, port = match(value, '^(%[[^/?#%[%]@]+%]):(%d+)$')
    if not name then name = match(value, '^%[[^/?#%[%]@]+%]$') end
    if not name then
      name, port = match(value, '^([^:]*):(.*)$')
      if name and not tonumber(port) then error("Invalid port in '" .. value .. "'", 3) end
      name = name or value
    end
  end
  rawset(self, 'host', name)
  rawset(self, 'port', tonumber(port))
end
function write.authority(self, value)
  local info, rest = match(value or '', '^([^@]*)@(.*)$')
  write.userInfo(self, info)
  write.hostPort(self, rest or value)
end
function write.queryString(self, value) rawset(self, 'query', value and uri.parseQueryString(value) or nil) end
function write.relativePath(self, value)
  local path, query, fragment
  if value then
    path, fragment = match(value, '^([^#]*)#(.*)$')
    path = path or value
    local before, after = match(path, '^([^?]*)%?(.*)$')
    if before then path, query = before, uri.parseQueryString(after) end
  end
  rawset(self, 'path', path)
  rawset(self, 'query', query)
  rawset(self, 'fragment', fragment)
end

function meta.__index(self, key)
  if methods[key] then return methods[key] end
  return read[key] and read[key](self) or nil
end
function meta.__newindex(self, key, value)
  if write[key] then
    if value then checkIndex(key, value, 'string') end
    write[key](self, value)
  elseif methods[key] then error("index '" .. key .. "' is read only", 2)
  else rawset(self, key, value) end
end
function meta.__tostring(self)
  local text = self.protocol and self.protocol .. ':' or ''
  if self.authority then text = text .. '//' .. self.authority end
  return text .. self.relativePath
end
meta.__eq = function(a, b) return tostring(a) == tostring(b) end
meta.__concat = function(a, b) return tostring(a) .. tostring(b) end
function meta.__pairs(self)
  local found = {}
  for key, value in next, self do found[key] = value end
  for key in next, read do found[key] = self[key] end
  for key, method in next, methods do found[key] = method end
  return next, found, nil
end

local forms = {
  { 'protocol', '^[^:/?#]+$' }, { 'user', '^[^:@/?#]*$' }, { 'password', '^[^:@/?#]*$' },
  { 'host', '^[^:/?#]*$', '^%[[^/?#%[%]@]+%]$' },
}
local function isPath(path, protocol, hasAuthority)
  if path == '' then return true end
  if hasAuthority then return find(path, '^/[^?#]*$') end
  if path == '/' or find(path, '^/[^?#/][^?#]*$') then return true end
  if protocol then return find(path, '^[^?#/][^?#]*$') end
  return find(path, '^[^?#/:]+$') or find(path, '^[^?#/:]+/[^?#]*$')
end
function uri.validate(value)
  check('validate', 1, value, 'table')
  local problems = {}
  local function report(problem) problems[#problems + 1] = problem end
  local function expect(name, kind)
    local one = value[name]
    if not one then return false end
    if type(one) == kind then return true end
    report('.' .. name .. ' must be a ' .. kind .. ', not ' .. type(one))
  end
  for _, form in base.ipairs(forms) do
    local name, one = form[1], value[form[1]]
    if expect(name, 'string') and not find(one, form[2]) and not (form[3] and find(one, form[3])) then report('invalid .' .. name) end
  end
  local port, path = value.port, value.path
  if port then
    if type(port) ~= 'number' or math.floor(port) ~= port then report('.port must be an integer, not ' .. type(port))
    elseif port < 1 or port > 65535 then report('invalid .port') end
  end
  if not path then report('missing .path')
  elseif expect('path', 'string') and not isPath(path, value.protocol, value.user or value.password or value.host or port) then
    report('invalid .path')
  end
  expect('query', 'table')
  expect('fragment', 'string')
  return #problems == 0, concat(problems, '; ')
end
methods.validate = uri.validate

function methods.parse(self, s)
  check('uri:parse', 1, s, 'string')
  local protocol, authority, rest = match(s, '^([^:/?#]+)://([^/?#]*)(.*)$')
  if not rest then authority, rest = match(s, '^//([^/?#]*)(.*)$') end
  if not rest then protocol, rest = match(s, '^([^:/?#]+):(.*)$') end
  -- Parsed into another object first, so that a refused address changes nothing.
  local made = setmetatable({ protocol = protocol }, meta)
  if not pcall(write.authority, made, authority) then error('Invalid port number in string', 2) end
  made.relativePath = rest or s
  local isValid, problem = uri.validate(made)
  if not isValid then error(problem, 2) end
  for _, name in base.ipairs { 'protocol', 'host', 'port', 'path', 'query', 'fragment' } do
    local value = rawget(made, name)
    if value then rawset(self, name, value) end
  end
  if made.user or made.password then
    rawset(self, 'user', rawget(made, 'user'))
    rawset(self, 'password', rawget(made, 'password'))
  end
  return self
end
function methods.clone(self) return uri.new(self) end
lib.cloners[meta] = methods.clone
function methods.extend(self, more)
  check('uri:extend', 1, more, 'table')
  local query = rawget(self, 'query')
  if not query then
    query = newQuery()
    rawset(self, 'query', query)
  end
  for key, value in pairs(more) do query[key] = value end
  return self
end

function uri.new(s)
  local made = setmetatable({}, meta)
  if type(s) == 'table' then
    for _, name in base.ipairs(stored) do rawset(made, name, mw.clone(s[name])) end
    return made
  end
  if s ~= nil and type(s) ~= 'string' then check('new', 1, s, 'string or table or nil') end
  methods.parse(made, s or lib.site.server)
  return made
end

local function addressOf(name, isFull)
  return function(page, query)
    check(name, 1, page, 'string')
    if query ~= nil and type(query) ~= 'string' and type(query) ~= 'table' then check(name, 2, query, 'string or table') end
    local title, fragment = match(page, '^(.-)#(.*)$')
    local made = uri.new((isFull and lib.site.server or '') .. lib.call('localurl', title or page))
    if isFull and fragment and fragment ~= '' then made.fragment = uri.anchorEncode(fragment) end
    if type(query) == 'string' then made.query = uri.parseQueryString(query)
    elseif query then made.query = query end
    return made
  end
end
uri.localUrl, uri.fullUrl, uri.canonicalUrl = addressOf('localurl'), addressOf('fullurl', true), addressOf('canonicalurl', true)

return lib
