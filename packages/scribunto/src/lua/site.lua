-- `mw.site`, and the namespaces that titles know.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tonumber, gsub, error, rawget, rawset = type, tonumber, base.string.gsub, error, rawget, rawset
local pairs, check = base.pairs, lib.util.checkType

-- The wiki's name and other properties are fetched on first use, because they differ between wikis.
lib.site = setmetatable({}, { __index = function(_, key) return host.site(key) end })

-- The wiki has no namespaces except for templates and modules; MediaWiki's namespaces are known by name.
local names = {
  [-2] = 'Media', [-1] = 'Special', [0] = '', [1] = 'Talk', [2] = 'User', [3] = 'User talk', [4] = 'Project', [5] = 'Project talk',
  [6] = 'File', [7] = 'File talk', [8] = 'MediaWiki', [9] = 'MediaWiki talk', [10] = 'Template', [11] = 'Template talk',
  [12] = 'Help', [13] = 'Help talk', [14] = 'Category', [15] = 'Category talk', [828] = 'Module', [829] = 'Module talk',
}
local namespaces, byName = {}, { image = 6, ['image talk'] = 7 }
local withoutSubpages = { [-2] = true, [-1] = true, [0] = true, [6] = true, [14] = true }
lib.namespaces = namespaces
for id, name in pairs(names) do
  byName[string.lower(name)] = id
  namespaces[id] = {
    id = id, name = name, hasSubpages = not withoutSubpages[id], isContent = id == 0, isTalk = id > 0 and id % 2 == 1,
    isSubject = id < 0 or id % 2 == 0,
  }
end

function lib.namespaceNamed(name)
  name = string.lower((gsub(gsub(gsub(name, '[%s_]+', ' '), '^ ', ''), ' $', '')))
  return namespaces[byName[name]]
end

-- Counts pages that the reader may see. MediaWiki's other statistics are not published here.
local stats = setmetatable({ files = 0, edits = 0, users = 0, activeUsers = 0, admins = 0 }, {
  __metatable = false,
  __index = function(_, key) if key == 'pages' or key == 'articles' then return tonumber(lib.call('numberofpages', 'R')) or 0 end end,
})
function stats.pagesInNamespace(namespace)
  check('pagesInNamespace', 1, namespace, 'number')
  return namespace == 0 and stats.pages or 0
end
function stats.usersInGroup(group)
  check('usersInGroup', 1, group, 'string')
  return 0
end
local isCount = { all = true, pages = true, subcats = true, files = true, ['*'] = true }
function stats.pagesInCategory(category, which)
  check('pagesInCategory', 1, category, 'string')
  check('pagesInCategory', 2, which, 'string', true)
  if which and not isCount[which] then check('pagesInCategory', 2, which, "one of '*', 'all', 'pages', 'subcats', or 'files'") end
  local pages = which ~= 'subcats' and which ~= 'files' and tonumber(lib.call('pagesincategory', category, 'R')) or 0
  return which == '*' and { all = pages, pages = pages, subcats = 0, files = 0 } or pages
end

local function published()
  local all, subjects, talks = {}, {}, {}
  for id, one in pairs(namespaces) do
    local made = mw.clone(one)
    made.canonicalName, made.displayName, made.aliases = one.name, one.name == '' and '(Main)' or one.name, {}
    made.isCapitalized, made.isIncludable, made.isMovable, made.movable = true, true, id >= 0, id >= 0
    made.hasGenderDistinction = id == 2 or id == 3
    made.defaultContentModel = id == 828 and 'Scribunto' or 'wikitext'
    all[id] = made
    if one.isTalk then talks[id] = made else subjects[id] = made end
  end
  for id, one in pairs(all) do
    if id >= 0 then one.subject, one.talk, one.associated = all[id - id % 2], all[id - id % 2 + 1], all[id % 2 == 1 and id - 1 or id + 1]
    else one.subject = one end
  end
  all[6].aliases = { 'Image' }
  all[7].aliases = { 'Image talk' }
  setmetatable(all, { __index = function(_, key)
    local space = type(key) == 'string' and lib.namespaceNamed(key)
    return space and rawget(all, space.id) or nil
  end })
  return all, subjects, talks
end
local function interwikiMap(filter)
  check('interwikiMap', 1, filter, 'string', true)
  if filter and filter ~= 'local' and filter ~= '!local' then
    error("bad argument #1 to 'interwikiMap' (unknown filter '" .. filter .. "')", 2)
  end
  return {}
end
mw.site = setmetatable({ scriptPath = '', stylePath = '', currentVersion = 'Coppice', interwikiMap = interwikiMap }, {
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
    if key == 'siteName' or key == 'wikiId' then return lib.site.name end
    if key == 'server' then return lib.site.server end
    if key == 'stats' then return stats end
  end,
})

return lib
