-- `mw.title`, `mw.site` and `mw.uri`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, tonumber = type, base.tostring, tonumber
local gsub, find, sub, match = base.string.gsub, base.string.find, string.sub, base.string.match
local pairs, ipairs = base.pairs, base.ipairs

-- The wiki's name and other properties are fetched on first use, because they differ between wikis.
local site = setmetatable({}, { __index = function(_, key) return host.site(key) end })

-- Titles -------------------------------------------------------------------------------------------------------------

-- The wiki has no namespaces except for templates and modules; MediaWiki's namespaces are known by name.
local names = {
  [-2] = 'Media', [-1] = 'Special', [0] = '', [1] = 'Talk', [2] = 'User', [3] = 'User talk', [4] = 'Project', [5] = 'Project talk',
  [6] = 'File', [7] = 'File talk', [8] = 'MediaWiki', [9] = 'MediaWiki talk', [10] = 'Template', [11] = 'Template talk',
  [12] = 'Help', [13] = 'Help talk', [14] = 'Category', [15] = 'Category talk', [828] = 'Module', [829] = 'Module talk',
}
local namespaces, byName = {}, { image = 6 }
for id, name in pairs(names) do
  byName[string.lower(name)] = id
  namespaces[id] = {
    id = id, name = name, hasSubpages = id ~= 0, isContent = id == 0, isTalk = id > 0 and id % 2 == 1,
    isSubject = id < 0 or id % 2 == 0,
  }
end

local function namespaceOf(value)
  if type(value) == 'number' then return namespaces[value] end
  return namespaces[byName[string.lower((gsub(tostring(value), '_', ' ')))]]
end

local title = {}
mw.title = title
local titleMethods = {}

local function encodePath(text) return host.encodeUri(text, 'WIKI') end

-- Lua uses these metamethods only if both operands have the same function.
local function equals(a, b) return a.prefixedText == b.prefixedText end
local function isBefore(a, b) return title.compare(a, b) < 0 end
local function isNotAfter(a, b) return title.compare(a, b) <= 0 end

local function make(namespace, text, fragment)
  local self = {}
  local fields = { namespace = namespace.id, nsText = namespace.name, text = text, fragment = fragment or '', interwiki = '', isExternal = false }
  local prefixed = namespace.name == '' and text or namespace.name .. ':' .. text
  local function computed(key)
    if key == 'prefixedText' then return prefixed end
    if key == 'fullText' then return fields.fragment == '' and prefixed or prefixed .. '#' .. fields.fragment end
    if key == 'rootText' then return namespace.hasSubpages and match(text, '^([^/]+)/') or text end
    if key == 'baseText' then return namespace.hasSubpages and match(text, '^(.+)/[^/]*$') or text end
    if key == 'subpageText' then return namespace.hasSubpages and match(text, '([^/]*)$') or text end
    if key == 'isSubpage' then return namespace.hasSubpages and find(text, '/', 1, true) ~= nil end
    if key == 'isTalkPage' then return namespace.isTalk end
    if key == 'isContentPage' then return namespace.isContent end
    if key == 'isSpecialPage' then return namespace.id == -1 end
    if key == 'canTalk' then return namespace.id >= 0 end
    if key == 'subjectNsText' then return namespaces[namespace.isTalk and namespace.id - 1 or namespace.id].name end
    if key == 'talkNsText' then return (namespaces[namespace.isTalk and namespace.id or namespace.id + 1] or namespace).name end
    if key == 'contentModel' then return namespace.name == 'Module' and 'Scribunto' or 'wikitext' end
    if key == 'exists' then return host.exists(namespace.name, text) end
    if key == 'id' then return prefixed == site.title and tonumber(site.pageId) or 0 end
    if key == 'isLocal' then return true end
    if key == 'isRedirect' then return computed('redirectTarget') ~= false end
    if key == 'redirectTarget' then
      local target = match(host.pageText(prefixed) or '', '^%s*#[Rr][Ee][Dd][Ii][Rr][Ee][Cc][Tt]%s*:?%s*%[%[([^%]|]+)')
      return target and title.new(target) or false
    end
    if key == 'content' then return host.pageText(prefixed) end
    if key == 'file' or key == 'fileExists' then
      local exists = (namespace.id == 6 or namespace.id == -2) and lib.call('#ifexist', 'Media:' .. text, '1') == '1'
      return key == 'file' and { exists = exists, width = 0, height = 0, size = 0 } or exists
    end
    if key == 'basePageTitle' then return make(namespace, computed('baseText')) end
    if key == 'rootPageTitle' then return make(namespace, computed('rootText')) end
    if key == 'talkPageTitle' then
      local talk = namespaces[namespace.isTalk and namespace.id or namespace.id + 1]
      return talk and make(talk, text)
    end
    if key == 'subjectPageTitle' then return make(namespaces[namespace.isTalk and namespace.id - 1 or namespace.id], text) end
    if key == 'pageLanguage' or key == 'pageLang' then return mw.language.getContentLanguage() end
    if key == 'categories' then return {} end
    if key == 'protectionLevels' or key == 'cascadingProtection' then return {} end
    return titleMethods[key]
  end
  return setmetatable(self, {
    __metatable = false,
    __index = function(_, key)
      local value = fields[key]
      if value ~= nil then return value end
      return computed(key)
    end,
    __newindex = function(_, key, value) if key == 'fragment' then fields.fragment = tostring(value) else rawset(self, key, value) end end,
    __eq = equals,
    __lt = isBefore,
    __le = isNotAfter,
    __tostring = function() return prefixed end,
    __concat = function(a, b) return tostring(a) .. tostring(b) end,
  })
end

local function clean(text)
  text = gsub(gsub(text, '[%s_]+', ' '), '^ ', '')
  return (gsub(text, ' $', ''))
end

function title.new(value, namespace)
  if type(value) == 'table' and value.prefixedText then return value end
  if type(value) ~= 'string' then
    if type(value) == 'number' then return nil end
    error("bad argument #1 to 'title.new' (number or string expected, got " .. type(value) .. ')', 2)
  end
  local text = host.decodeEntities(value, true)
  local fragment
  local hash = find(text, '#', 1, true)
  if hash then text, fragment = sub(text, 1, hash - 1), sub(text, hash + 1) end
  text = clean(text)
  local space = namespace ~= nil and namespaceOf(namespace) or namespaces[0]
  if sub(text, 1, 1) == ':' then space, text = namespaces[0], clean(sub(text, 2)) end
  local prefix, rest = match(text, '^([^:]+):(.*)$')
  local named = prefix and namespaceOf(clean(prefix))
  if named then space, text = named, clean(rest) end
  if not space or find(text, '[<>%[%]{}|%z\1-\31\127]') or #text > 255 or (text == '' and not fragment) then return nil end
  return make(space, host.ucfirst(text), fragment)
end
function title.makeTitle(namespace, text, fragment)
  local space = namespaceOf(namespace)
  if not space or find(text, '[<>%[%]{}|#%z\1-\31\127]') then return nil end
  return make(space, host.ucfirst(clean(text)), fragment)
end
function title.newBatch(list, namespace)
  local titles, batch = {}, {}
  for at, one in ipairs(list) do titles[at] = title.new(one, namespace) or false end
  -- Existence is looked up on first use, for all titles at once.
  function batch.lookupExistence() return batch end
  function batch.getTitles() return titles end
  return batch
end
function title.getCurrentTitle() return make(namespaces[0], site.title) end
title.equals = equals
function title.compare(a, b)
  if a.namespace ~= b.namespace then return a.namespace < b.namespace and -1 or 1 end
  if a.text == b.text then return 0 end
  return a.text < b.text and -1 or 1
end

function titleMethods.getContent(self) return host.pageText(self.prefixedText) end
function titleMethods.inNamespace(self, namespace)
  local space = namespaceOf(namespace)
  return space ~= nil and space.id == self.namespace
end
function titleMethods.inNamespaces(self, ...)
  for i = 1, select('#', ...) do if titleMethods.inNamespace(self, (select(i, ...))) then return true end end
  return false
end
function titleMethods.hasSubjectNamespace(self, namespace)
  local space = namespaceOf(namespace)
  return space ~= nil and space.name == self.subjectNsText
end
function titleMethods.isSubpageOf(self, other)
  return self.namespace == other.namespace and sub(self.text, 1, #other.text + 1) == other.text .. '/'
end
function titleMethods.subPageTitle(self, text) return title.makeTitle(self.namespace, self.text .. '/' .. text) end
function titleMethods.partialUrl(self) return encodePath(self.text) end
function titleMethods.localUrl(self, query) return mw.uri.localUrl(self.prefixedText, query).relativePath end
function titleMethods.fullUrl(self, query) return tostring(mw.uri.fullUrl(self.fullText, query)) end
function titleMethods.canonicalUrl(self, query) return tostring(mw.uri.canonicalUrl(self.fullText, query)) end

-- Counts pages that the reader may see. MediaWiki's other statistics are not published here.
local stats = setmetatable({
  files = 0, edits = 0, users = 0, activeUsers = 0, admins = 0,
  pagesInNamespace = function() return 0 end,
  usersInGroup = function() return 0 end,
  pagesInCategory = function(category, which)
    local pages = which ~= 'subcats' and which ~= 'files' and tonumber(lib.call('pagesincategory', category, 'R')) or 0
    return which == '*' and { all = pages, pages = pages, subcats = 0, files = 0 } or pages
  end,
}, {
  __metatable = false,
  __index = function(_, key) if key == 'pages' or key == 'articles' then return tonumber(lib.call('numberofpages', 'R')) or 0 end end,
})

local function published()
  local all, subjects, talks = {}, {}, {}
  for id, one in pairs(namespaces) do
    local made = mw.clone(one)
    made.canonicalName, made.displayName, made.aliases = one.name, one.name == '' and '(Main)' or one.name, {}
    made.isCapitalized, made.isIncludable, made.movable = true, id >= 0, id >= 0
    all[id] = made
    if one.isTalk then talks[id] = made else subjects[id] = made end
  end
  for id, one in pairs(all) do
    if id >= 0 then one.subject, one.talk, one.associated = all[id - id % 2], all[id - id % 2 + 1], all[id % 2 == 1 and id - 1 or id + 1] end
  end
  setmetatable(all, { __index = function(_, key)
    local id = type(key) == 'string' and byName[string.lower((gsub(key, '_', ' ')))]
    return id and rawget(all, id) or nil
  end })
  return all, subjects, talks
end
mw.site = setmetatable({ scriptPath = '', stylePath = '', currentVersion = 'Coppice', interwikiMap = function() return {} end }, {
  __metatable = false,
  __index = function(self, key)
    if key == 'namespaces' or key == 'subjectNamespaces' or key == 'talkNamespaces' or key == 'contentNamespaces' then
      local all, subjects, talks = published()
      rawset(self, 'namespaces', all)
      rawset(self, 'subjectNamespaces', subjects)
      rawset(self, 'talkNamespaces', talks)
      rawset(self, 'contentNamespaces', { [0] = all[0] })
      return rawget(self, key)
    end
    if key == 'siteName' then return site.name end
    if key == 'server' then return site.server end
    if key == 'stats' then return stats end
  end,
})

-- Addresses ----------------------------------------------------------------------------------------------------------

local uri = {}
mw.uri = uri
function uri.encode(s, kind) return host.encodeUri(tostring(s), kind or 'QUERY') end
function uri.decode(s, kind) return host.decodeUri(tostring(s), kind or 'QUERY') end
function uri.anchorEncode(s) return lib.call('anchorencode', s) end
function uri.buildQueryString(query)
  local parts, names = {}, {}
  for key in base.pairs(query) do names[#names + 1] = key end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(names) do
    local value = query[key]
    if value == false then parts[#parts + 1] = uri.encode(key)
    elseif type(value) == 'table' then
      for _, one in ipairs(value) do parts[#parts + 1] = uri.encode(key) .. '=' .. uri.encode(one) end
    else parts[#parts + 1] = uri.encode(key) .. '=' .. uri.encode(value) end
  end
  return table.concat(parts, '&')
end
function uri.parseQueryString(s, from, to)
  local query = {}
  for part in string.gmatch(sub(s, from or 1, to or -1), '[^&]+') do
    local key, value = match(part, '^([^=]*)=(.*)$')
    key, value = uri.decode(key or part), key ~= nil and uri.decode(value)
    local known = query[key]
    if known == nil then query[key] = value
    elseif type(known) == 'table' then known[#known + 1] = value
    else query[key] = { known, value } end
  end
  return query
end
local uriMeta = { __metatable = false }
local function fieldsOf(self)
  local fields = {}
  for _, name in ipairs { 'protocol', 'user', 'password', 'host', 'port', 'path', 'query', 'fragment' } do fields[name] = rawget(self, name) end
  return fields
end
local forms = {
  protocol = '^%a[%w+.-]*$', user = '^[^:/@?#]*$', password = '^[^/@?#]*$', host = '^[^/?#]*$', path = '^[^?#]*$', fragment = '',
}
function uri.validate(value)
  local problems = {}
  for name, form in base.pairs(forms) do
    local one = value[name]
    if one ~= nil and (type(one) ~= 'string' or not find(one, form)) then problems[#problems + 1] = 'invalid ' .. name end
  end
  if value.port ~= nil and (type(value.port) ~= 'number' or value.port < 0 or value.port % 1 ~= 0) then problems[#problems + 1] = 'invalid port' end
  if value.query ~= nil and type(value.query) ~= 'table' then problems[#problems + 1] = 'invalid query' end
  if value.host and value.path and value.path ~= '' and type(value.path) == 'string' and sub(value.path, 1, 1) ~= '/' then problems[#problems + 1] = 'path does not begin with /' end
  table.sort(problems)
  if #problems == 0 then return true, '' end
  return false, table.concat(problems, ', ')
end
function uriMeta.__tostring(self)
  local text = ''
  if self.protocol then text = self.protocol .. ':' end
  if self.host then text = text .. '//' .. self.authority end
  return text .. self.relativePath
end
function uriMeta.__index(self, key)
  if key == 'relativePath' then
    local query = rawget(self, 'query')
    local written = query and next(query) ~= nil and '?' .. uri.buildQueryString(query) or ''
    local fragment = rawget(self, 'fragment')
    return (rawget(self, 'path') or '') .. written .. (fragment and fragment ~= '' and '#' .. fragment or '')
  elseif key == 'hostPort' then return (self.host or '') .. (self.port and ':' .. self.port or '')
  elseif key == 'userInfo' then
    local user, password = rawget(self, 'user'), rawget(self, 'password')
    return user and user .. (password and ':' .. password or '') or nil
  elseif key == 'authority' then return (self.userInfo and self.userInfo .. '@' or '') .. self.hostPort
  elseif key == 'clone' then return function(this) return uri.new(mw.clone(fieldsOf(this))) end
  elseif key == 'parse' then
    return function(this, s)
      for name in base.pairs(fieldsOf(this)) do this[name] = nil end
      for name, value in base.pairs(fieldsOf(uri.new(s))) do this[name] = value end
      return this
    end
  elseif key == 'queryString' then return rawget(self, 'query') and uri.buildQueryString(self.query) or nil
  elseif key == 'extend' then
    return function(this, more)
      this.query = this.query or {}
      for name, value in base.pairs(more) do this.query[name] = value end
      return this
    end
  end
end
uriMeta.__eq = function(a, b) return tostring(a) == tostring(b) end
uriMeta.__concat = function(a, b) return tostring(a) .. tostring(b) end
function uri.new(s)
  local self = {}
  if type(s) == 'table' then for key, value in base.pairs(s) do self[key] = value end
  else
    local rest = tostring(s or site.server)
    local before, fragment = match(rest, '^([^#]*)#(.*)$')
    if before then rest, self.fragment = before, fragment end
    local path, query = match(rest, '^([^?]*)%?(.*)$')
    if path then rest, self.query = path, uri.parseQueryString(query) end
    local protocol, after = match(rest, '^(%a[%w+.-]*):(.*)$')
    if protocol then self.protocol, rest = protocol, after end
    local authority, tail = match(rest, '^//([^/]*)(.*)$')
    if authority then
      local info, place = match(authority, '^(.*)@([^@]*)$')
      if info then
        self.user, self.password = match(info, '^([^:]*):?(.*)$')
        if not find(info, ':', 1, true) then self.password = nil end
        authority = place
      end
      local name, port = match(authority, '^(.-):(%d+)$')
      self.host, self.port, rest = name or authority, tonumber(port), tail
    end
    self.path = rest
  end
  return setmetatable(self, uriMeta)
end
local function addressOf(isFull)
  return function(page, query)
    local made = uri.new((isFull and site.server or '') .. lib.call('localurl', page))
    if type(query) == 'string' then made.query = uri.parseQueryString(query)
    elseif query then made.query = query end
    return made
  end
end
uri.localUrl, uri.fullUrl, uri.canonicalUrl = addressOf(false), addressOf(true), addressOf(true)

return lib
