/**
 * A citation module of the size and manner of those on large wikis: a configuration of 150 parameters with aliases, helper
 * modules, names and dates over characters, identifiers, metadata in an address. A call takes some hundred thousand
 * instructions.
 */
const parameters = Array.from(
  { length: 150 },
  (_, i) => `['p${i}'] = { 'p${i}', 'p-${i}', 'q${i}', 'alias-${i}' }`,
);

export const citationModules: Record<string, string> = {
  'Module:Cite': `
    local cfg = mw.loadData('Module:Cite/configuration')
    local util = require('Module:Cite/utilities')
    local dates = require('Module:Cite/dates')
    local identifiers = require('Module:Cite/identifiers')
    local p = {}

    -- The first alias that is given, and a complaint about each other one.
    local function select_one(args, aliases, problems)
      local chosen, by
      for _, name in ipairs(aliases) do
        local value = args[name]
        if util.is_set(value) then
          if chosen then table.insert(problems, 'more than one of ' .. by .. ' and ' .. name) else chosen, by = value, name end
        end
      end
      return chosen
    end

    local function names_of(args, kind)
      local names = {}
      local i = 1
      while true do
        local last = util.first_set(args, { kind .. '-last' .. i, kind .. i .. '-last', 'last' .. i })
        if not last then break end
        local first = util.first_set(args, { kind .. '-first' .. i, kind .. i .. '-first', 'first' .. i })
        if mw.ustring.find(last, '[^%a%s%-%.]') then table.insert(names, util.mark(last)) else
          table.insert(names, first and last .. ', ' .. mw.ustring.gsub(first, '(%a)%a*', '%1.') or last)
        end
        i = i + 1
      end
      return names
    end

    function p.citation(frame)
      local args, problems = {}, {}
      for key, value in pairs(frame:getParent().args) do
        if type(key) == 'string' then
          local name = mw.ustring.gsub(mw.text.trim(key), '_', '-')
          args[name] = util.tidy(value)
          if not cfg.known[name] and not mw.ustring.match(name, '^%a+%d+$') then table.insert(problems, 'unknown ' .. name) end
        end
      end
      local given = {}
      for name, aliases in pairs(cfg.aliases) do given[name] = select_one(args, aliases, problems) end
      local authors = names_of(args, 'author')
      local year, trouble = dates.check(args.date or '')
      if trouble then table.insert(problems, trouble) end
      local meta = {}
      for _, key in ipairs(cfg.metadata) do
        if args[key] then meta[#meta + 1] = 'rft.' .. key .. '=' .. mw.uri.encode(util.strip(args[key])) end
      end
      local root = mw.html.create('cite'):addClass('citation'):addClass(cfg.classes[args.kind or 'web'])
      local parts = { table.concat(authors, '; ') .. (year and ' (' .. year .. ')' or '') }
      parts[#parts + 1] = args.url and '[' .. args.url .. ' "' .. args.title .. '"]' or "''" .. (args.title or '') .. "''"
      for _, one in ipairs(identifiers.list(args, problems)) do parts[#parts + 1] = one end
      root:wikitext(util.join(parts, '. '))
      table.sort(problems)
      for _, problem in ipairs(problems) do root:tag('span'):addClass('error'):wikitext(problem) end
      return tostring(root) .. mw.text.tag('span', { class = 'Z3988', title = table.concat(meta, '&') }, '')
    end
    return p`,
  'Module:Cite/configuration': `
    local known = { date = true, url = true, title = true, kind = true, isbn = true, doi = true, pmid = true, publisher = true }
    return {
      aliases = { ${parameters.join(', ')} }, known = known,
      metadata = { 'title', 'date', 'publisher', 'isbn', 'doi', 'last1', 'first1', 'last2', 'first2' },
      classes = { web = 'web', book = 'book', journal = 'journal' },
    }`,
  'Module:Cite/utilities': `
    local util = {}
    function util.is_set(value) return not (value == nil or value == '') end
    function util.first_set(args, names)
      for _, name in ipairs(names) do if util.is_set(args[name]) then return args[name] end end
    end
    function util.mark(text) return mw.text.tag('span', { class = 'marked' }, text) end
    function util.tidy(text)
      text = mw.text.trim(text)
      text = mw.ustring.gsub(text, '[\\226\\128\\139\\194\\173]', '')
      text = mw.ustring.gsub(text, '%s+', ' ')
      return mw.ustring.toNFC(text)
    end
    function util.strip(text)
      for _, pattern in ipairs { "'''''(.-)'''''", "'''(.-)'''", "''(.-)''", '%[%[([^|%]]*)%]%]', '%[%[[^|%]]*|([^%]]*)%]%]' } do
        text = mw.ustring.gsub(text, pattern, '%1')
      end
      return mw.text.decode(text, true)
    end
    function util.join(parts, separator)
      local text = ''
      for _, part in ipairs(parts) do
        if util.is_set(part) then
          local last = mw.ustring.sub(text, -1)
          text = text .. (text == '' and '' or last == '.' and ' ' or separator) .. part
        end
      end
      return text .. '.'
    end
    return util`,
  'Module:Cite/dates': `
    local dates = {}
    local months = { January = 1, February = 2, March = 3, April = 4, May = 5, June = 6, July = 7, August = 8, September = 9, October = 10, November = 11, December = 12 }
    local patterns = { '^(%d%d?) (%a+) (%d%d%d%d)$', '^(%a+) (%d%d?), (%d%d%d%d)$', '^(%d%d%d%d)%-(%d%d)%-(%d%d)$', '^(%a+) (%d%d%d%d)$', '^(%d%d%d%d)$' }
    function dates.check(text)
      if text == '' then return nil end
      for _, pattern in ipairs(patterns) do
        local a, b, c = mw.ustring.match(text, pattern)
        if a then
          for _, one in ipairs { a, b or '', c or '' } do
            if mw.ustring.match(one, '^%a+$') and not months[one] then return nil, 'no month ' .. one end
          end
          return mw.ustring.match(text, '%d%d%d%d')
        end
      end
      return nil, 'check date'
    end
    return dates`,
  'Module:Cite/identifiers': `
    local identifiers = {}
    local function is_isbn(text)
      text = text:gsub('[%s%-]', '')
      if #text ~= 13 or not text:match('^97[89]%d+$') then return false end
      local sum = 0
      for i = 1, 13 do sum = sum + tonumber(text:sub(i, i)) * (i % 2 == 1 and 1 or 3) end
      return sum % 10 == 0
    end
    function identifiers.list(args, problems)
      local found = {}
      if args.isbn then
        if not is_isbn(args.isbn) then table.insert(problems, 'check isbn') end
        table.insert(found, 'ISBN ' .. args.isbn)
      end
      if args.doi then
        if not mw.ustring.match(args.doi, '^10%.%d+/.+$') then table.insert(problems, 'check doi') end
        table.insert(found, 'doi:' .. mw.uri.encode(args.doi, 'PATH'))
      end
      return found
    end
    return identifiers`,
  'Cite web': '{{#invoke:Cite|citation}}',
};

export function citation(number: number): string {
  return `{{Cite web|last1=Müller|first1=Anna Maria|last2=O'Neil|first2=John|title=Tree ''number'' ${number} of the [[forest|wood]]|url=https://example.org/${number}|date=${(number % 28) + 1} March ${1900 + (number % 120)}|publisher=Éditions du Chêne|isbn=978-3-16-148410-0|doi=10.1000/${number}|p3=value|alias-7=x|shade=deep}}`;
}
