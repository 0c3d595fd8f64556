-- `mw.title`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, tonumber, error, rawset, next, select = type, base.tostring, tonumber, error, rawset, next, select
local gsub, find, sub, match = base.string.gsub, base.string.find, string.sub, base.string.match
local ipairs, namespaces = base.ipairs, lib.namespaces
local check, checkIndex, refuse = lib.util.checkType, lib.util.checkTypeForIndex, lib.refuse

local title, methods, computed = {}, {}, {}
mw.title = title

-- Returns the namespace that an argument names. Level 3 is the line that called the checked function.
local function namespaceOf(name, index, value, expected)
  local number = tonumber(value)
  if number then
    number = math.floor(number + 0.5)
    return namespaces[number]
      or error("bad argument #" .. index .. " to '" .. name .. "' (unrecognized namespace number '" .. number .. "')", 3)
  end
  if type(value) ~= 'string' then refuse(name, index, expected, value, 3) end
  return lib.namespaceNamed(value)
    or error("bad argument #" .. index .. " to '" .. name .. "' (unrecognized namespace name '" .. value .. "')", 3)
end
local textOrNumber, numberOrName = 'string or number', 'namespace number or name'

-- Fields of each title: `namespace`, `text`, `fragment` and so on. What costs a look-up is computed when it is read.
local data = setmetatable({}, { __mode = 'k' })
local checkSelf = lib.selfChecker('mw.title', 'title', data, 'title object')

function title.equals(a, b) return a.interwiki == b.interwiki and a.namespace == b.namespace and a.text == b.text end
function title.compare(a, b)
  for _, key in ipairs { 'interwiki', 'namespace', 'text' } do
    if a[key] ~= b[key] then return a[key] < b[key] and -1 or 1 end
  end
  return 0
end

local meta = { __metatable = false }
-- Lua uses these metamethods only if both operands have the same function.
meta.__eq = title.equals
function meta.__lt(a, b) return title.compare(a, b) < 0 end
function meta.__le(a, b) return title.compare(a, b) <= 0 end
function meta.__tostring(self) return self.prefixedText end
function meta.__concat(a, b) return tostring(a) .. tostring(b) end
function meta.__index(self, key)
  local fields = data[self]
  local value = fields[key]
  if value ~= nil then return value end
  if computed[key] then return computed[key](self, fields) end
  return methods[key]
end
function meta.__newindex(self, key, value)
  if key == 'fragment' then
    checkIndex(key, value, 'string')
    data[self].fragment = gsub(gsub(value, '[%s_]+', ' '), ' $', '')
  elseif data[self][key] ~= nil or computed[key] or methods[key] then error("index '" .. key .. "' is read only", 2)
  else rawset(self, key, value) end
end
function meta.__pairs(self)
  local found = {}
  for _, list in ipairs { data[self], computed, methods } do
    for key in next, list do found[key] = self[key] end
  end
  for key, value in next, self do found[key] = value end
  return next, found, nil
end

local function make(space, text, fragment, interwiki)
  interwiki = interwiki or ''
  local isExternal = interwiki ~= ''
  local prefixed = space.name == '' and text or space.name .. ':' .. text
  if isExternal then prefixed = interwiki .. ':' .. prefixed end
  local fields = {
    namespace = space.id, nsText = space.name, text = text, fragment = fragment or '', interwiki = interwiki, isExternal = isExternal,
    isLocal = not isExternal, prefixedText = prefixed, rootText = text, baseText = text, subpageText = text, isSubpage = false,
  }
  if space.hasSubpages and find(text, '/', 1, true) then
    fields.isSubpage, fields.rootText = true, match(text, '^([^/]*)/')
    fields.baseText, fields.subpageText = match(text, '^(.*)/([^/]*)$')
  end
  if not isExternal then
    local subject = namespaces[space.isTalk and space.id - 1 or space.id]
    local talk = namespaces[space.isTalk and space.id or space.id + 1]
    fields.isContentPage, fields.isTalkPage, fields.isSpecialPage = space.isContent, space.isTalk, space.id == -1
    fields.canTalk, fields.subjectNsText, fields.talkNsText = space.id >= 0, subject.name, space.id >= 0 and talk.name or nil
  end
  local self = {}
  data[self] = fields
  return setmetatable(self, meta)
end
lib.cloners[meta] = function(self)
  local fields = data[self]
  return make(namespaces[fields.namespace], fields.text, fields.fragment, fields.interwiki)
end
local function relative(fields, text) return title.makeTitle(fields.namespace, text) end

function computed.fullText(_, fields)
  return fields.fragment == '' and fields.prefixedText or fields.prefixedText .. '#' .. fields.fragment
end
function computed.contentModel(_, fields) return fields.nsText == 'Module' and 'Scribunto' or 'wikitext' end
function computed.exists(self, fields)
  if fields.namespace == -2 then return computed.fileExists(self, fields) end
  return not fields.isExternal and host.exists(fields.nsText, fields.text)
end
function computed.id(_, fields) return fields.prefixedText == lib.site.title and tonumber(lib.site.pageId) or 0 end
function computed.isRedirect(self) return self.redirectTarget ~= false end
function computed.redirectTarget(_, fields)
  local target = match(host.pageText(fields.prefixedText) or '', '^%s*#[Rr][Ee][Dd][Ii][Rr][Ee][Cc][Tt]%s*:?%s*%[%[([^%]|]+)')
  return target and title.new(target) or false
end
function computed.content(_, fields) return host.pageText(fields.prefixedText) end
function computed.fileExists(_, fields)
  return (fields.namespace == 6 or fields.namespace == -2) and lib.call('#ifexist', 'Media:' .. fields.text, '1') == '1'
end
function computed.file(self, fields)
  if fields.namespace ~= 6 and fields.namespace ~= -2 then return nil end
  return { exists = computed.fileExists(self, fields), width = 0, height = 0, size = 0 }
end
function computed.basePageTitle(_, fields) return relative(fields, fields.baseText) end
function computed.rootPageTitle(_, fields) return relative(fields, fields.rootText) end
function computed.talkPageTitle(self, fields)
  if fields.namespace < 0 then return nil end
  if fields.isTalkPage then return self end
  return title.makeTitle(fields.namespace + 1, fields.text)
end
function computed.subjectPageTitle(self, fields)
  if not fields.isTalkPage then return self end
  return title.makeTitle(fields.namespace - 1, fields.text)
end
function computed.pageLanguage() return mw.language.getContentLanguage() end
computed.pageLang = computed.pageLanguage
function computed.categories() return {} end
function computed.protectionLevels() return {} end
computed.cascadingProtection = function() return { sources = false, restrictions = {} } end

-- Methods -----------------------------------------------------------------------------------------------------------

function methods.inNamespace(self, namespace)
  checkSelf(self, 'inNamespace')
  return namespaceOf('inNamespace', 1, namespace, textOrNumber).id == self.namespace
end
function methods.inNamespaces(self, ...)
  checkSelf(self, 'inNamespaces')
  for i = 1, select('#', ...) do
    if namespaceOf('inNamespaces', i, (select(i, ...)), textOrNumber).id == self.namespace then return true end
  end
  return false
end
function methods.hasSubjectNamespace(self, namespace)
  checkSelf(self, 'hasSubjectNamespace')
  return namespaceOf('hasSubjectNamespace', 1, namespace, textOrNumber).name == self.subjectNsText
end
function methods.isSubpageOf(self, other)
  checkSelf(self, 'isSubpageOf')
  check('isSubpageOf', 1, other, 'table')
  return self.interwiki == other.interwiki and self.namespace == other.namespace
    and sub(self.text, 1, #other.text + 1) == other.text .. '/'
end
function methods.subPageTitle(self, text)
  checkSelf(self, 'subpageTitle')
  check('subpageTitle', 1, text, 'string')
  return relative(data[self], self.text .. '/' .. text)
end
function methods.getContent(self)
  checkSelf(self, 'getContent')
  return host.pageText(self.prefixedText)
end
function methods.partialUrl(self)
  checkSelf(self, 'partialUrl')
  return host.encodeUri(self.text, 'WIKI')
end
local function checkQuery(name, query)
  if query ~= nil and type(query) ~= 'string' and type(query) ~= 'table' then refuse(name, 1, 'table or string', query, 3) end
end
function methods.localUrl(self, query)
  checkSelf(self, 'localUrl')
  checkQuery('localUrl', query)
  return mw.uri.localUrl(self.prefixedText, query).relativePath
end
local isProtocol = { http = true, https = true, relative = true, canonical = true }
function methods.fullUrl(self, query, protocol)
  checkSelf(self, 'fullUrl')
  checkQuery('fullUrl', query)
  check('fullUrl', 2, protocol, 'string', true)
  if protocol and not isProtocol[protocol] then check('fullUrl', 2, protocol, "'http', 'https', 'relative', or 'canonical'") end
  local url = tostring(mw.uri.fullUrl(self.fullText, query))
  if not protocol or protocol == 'canonical' then return url end
  return (gsub(url, '^%a*:?//', protocol == 'relative' and '//' or protocol .. '://'))
end
function methods.canonicalUrl(self, query)
  checkSelf(self, 'canonicalUrl')
  checkQuery('canonicalUrl', query)
  return tostring(mw.uri.canonicalUrl(self.fullText, query))
end

-- Titles from text --------------------------------------------------------------------------------------------------

local function clean(text) return (gsub(gsub(gsub(text, '[%s_]+', ' '), '^ ', ''), ' $', '')) end

-- MediaWiki gives no page such a name: signs of wikitext, encoded characters, signatures, `.` and `..` as parts of a path.
local function isValid(text)
  if #text > 255 or find(text, '[<>%[%]{}|#%z\1-\31\127]') or find(text, '%%%x%x') or find(text, '~~~', 1, true) then return false end
  if find(text, '&#?%w+;') or find(text, '\239\191\189', 1, true) then return false end
  return not find('/' .. text .. '/', '/%.%.?/')
end

function title.new(value, namespace)
  if type(value) == 'table' and data[value] then return value end
  if type(value) == 'number' then return value == tonumber(lib.site.pageId) and title.getCurrentTitle() or nil end
  if type(value) ~= 'string' then refuse('title.new', 1, 'number or string', value, 2) end
  local space = namespaces[0]
  if namespace ~= nil then space = namespaceOf('title.new', 2, namespace, numberOrName) end
  local text = host.decodeEntities(value, true)
  local fragment
  local hash = find(text, '#', 1, true)
  if hash then text, fragment = sub(text, 1, hash - 1), clean(sub(text, hash + 1)) end
  text = clean(text)
  if sub(text, 1, 1) == ':' then space, text = namespaces[0], clean(sub(text, 2)) end
  local prefix, rest = match(text, '^([^:]+):(.*)$')
  local named = prefix and lib.namespaceNamed(prefix)
  if named then
    space, text = named, clean(rest)
    if text == '' then return nil end
    -- A talk page of a page elsewhere: `Talk:File:A`.
    local inner = space.id == 1 and match(text, '^([^:]+):')
    if inner and lib.namespaceNamed(inner) then return nil end
  end
  if sub(text, 1, 1) == ':' or not isValid(text) or (text == '' and not fragment) then return nil end
  return make(space, host.ucfirst(text), fragment)
end
function title.makeTitle(namespace, text, fragment, interwiki)
  local space = namespaceOf('makeTitle', 1, namespace, numberOrName)
  check('makeTitle', 2, text, 'string')
  check('makeTitle', 3, fragment, 'string', true)
  check('makeTitle', 4, interwiki, 'string', true)
  text = clean(text)
  if text == '' or sub(text, 1, 1) == ':' or not isValid(text) then return nil end
  return make(space, host.ucfirst(text), fragment, interwiki)
end
function title.newBatch(list, namespace)
  check('newBatch', 1, list, 'table')
  local titles, batch = {}, {}
  for at, one in ipairs(list) do titles[at] = title.new(one, namespace) or false end
  -- Existence is looked up on first use, for all titles at once.
  function batch.lookupExistence() return batch end
  function batch.getTitles() return titles end
  return batch
end
function title.getCurrentTitle() return make(namespaces[0], lib.site.title) end

return lib
