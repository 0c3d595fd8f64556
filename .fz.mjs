import fs from 'node:fs'; import path from 'node:path';
import { parse, references, render, expand, plainText } from './packages/wikitext/src/index.ts';
import { offences, imbalance } from './packages/wikitext/test/safety.ts';
const isReal=o=>o.filter(x=>!/^style /.test(x)||/url\s*\(|expression\s*\(|@import|position\s*:\s*(fixed|absolute|sticky)/i.test(x));
import { readExamples } from './packages/wikitext/test/examples.ts';
import { attacks } from './packages/wikitext/test/attacks.ts';
let seed=Number(process.argv[2]||1); const until=Date.now()+Number(process.argv[3]||60)*1000;
function rnd(){ seed|=0; seed=seed+0x6D2B79F5|0; let t=Math.imul(seed^seed>>>15,1|seed); t=t+Math.imul(t^t>>>7,61|t)^t; return ((t^t>>>14)>>>0)/4294967296; }
const pick=a=>a[Math.floor(rnd()*a.length)];
const R='./packages/wikitext/test/cases/'; const src=[]; for(const f of fs.readdirSync(R)) for(const e of readExamples(fs.readFileSync(R+f,'utf8'))) src.push(e.source);
for(const f of fs.readdirSync('/work/shared/corpus/bips').filter(f=>f.endsWith('.mediawiki'))){ const s=fs.readFileSync('/work/shared/corpus/bips/'+f,'utf8'); for(let i=0;i<8;i++){const at=Math.floor(rnd()*s.length);src.push(s.slice(at,at+400))} }
for(const a of attacks) src.push(typeof a==='string'?a:(a.source??String(a)));
const bits=["''","'''",'[[',']]','{{','}}','{{{','}}}','|','\n','{|\n','|}\n','|-\n','\n* ','\n# ','\n; ','\n: ','<ref>','</ref>','<ref name="a">','<references/>','<gallery>','</gallery>','<nowiki>','</nowiki>','<poem>','</poem>','<div>','</div>','<b>','</b>','<table>','</table>','<td>','<p>','</p>','"','>','<','=','==','{{A|','{{B|','{{{1}}}','__TOC__','[[File:oak.jpg|thumb|','alt=','link=','<!--','-->','\0','\u0001','\r\n','&#','&lt;','#REDIRECT [[','{{#if:','{{#switch:','{{#expr:','{{#tag:ref|','<pre>','</pre>','<blockquote>','</blockquote>','<noinclude>','<onlyinclude>','<includeonly>','[http://a ','http://a',' ','\u202e','😀','\ud800','<source lang=x>','</source>','<math>','</math>','[[category:x]]','{{!}}'];
const bodies=['{{{1}}}','{{{1|}}} class=x | {{{2|}}}','{| class="{{{1}}}"\n| {{{2|}}}\n|}','<div style="{{{1}}}" title={{{2}}}>','* {{{1}}}\n* {{{2|}}}','<ref name="{{{1}}}">{{{2}}}</ref>','{{B|{{{1}}}}}<noinclude>[[x]]</noinclude>','[[File:oak.jpg|{{{1}}}|alt={{{2}}}]]','<gallery>\noak.jpg|{{{1}}}\n</gallery>','<includeonly><onlyinclude>{{{1}}}','{{#tag:ref|{{{1}}}|name={{{2}}}}}','{{#switch:{{{1}}}|a=<b>|</b>}}','</div>{{{1}}}<table>','[http://{{{1}}} {{{2}}}]','<{{{1}}} {{{2}}}>'];
let n=0, slow=0;
while(Date.now()<until){ let s=pick(src); const k=1+Math.floor(rnd()*8); for(let i=0;i<k;i++){const p=Math.floor(rnd()*(s.length+1)); const r=rnd(); if(r<.45)s=s.slice(0,p)+pick(bits)+s.slice(p); else if(r<.6)s=s.slice(0,p)+s.slice(p+Math.floor(rnd()*12)); else if(r<.8){const t=pick(src);const q=Math.floor(rnd()*t.length);s=s.slice(0,p)+t.slice(q,q+Math.floor(rnd()*80))+s.slice(p)} else {const a=Math.floor(rnd()*s.length),b=a+Math.floor(rnd()*60);s=s.slice(0,p)+s.slice(a,b)+s.slice(p)} } if(s.length>6000)s=s.slice(0,6000);
 if(rnd()<.2)s='{{'+pick(['A','B'])+'|'+s+'|'+pick(bits)+pick(bits)+'}}'+s.slice(0,100);
 n++; const t0=performance.now();
 try{ for(const mode of [0,1]){ let text=s; if(mode){ const ctx={page:{title:'T',path:'/t'},templates:new Map([['A',pick(bodies)],['B',pick(bodies)]]),exists:new Map(),listings:new Map(),now:1e12}; let e=expand(s,ctx); for(let i=0;i<6&&(e.needs.templates.length+e.needs.exists.length+e.needs.listings.length);i++){for(const t of e.needs.templates)ctx.templates.set(t,rnd()<.3?pick(bodies):null);for(const x of e.needs.exists)ctx.exists.set(x,rnd()<.5);for(const l of e.needs.listings)ctx.listings.set(l.key,{rows:[{path:'/x"><b>',title:'<script>"x',description:'<i>'}],more:3});e=expand(s,ctx)} text=e.text; var L=ctx.listings; }
  const tree=parse(text,{path:'/t',expanded:!!mode}); const refs=references(tree); const files=new Map(refs.files.map(f=>[f,{url:'/files/1/x',mime:pick(['image/png','video/webm','text/plain','image/svg+xml']),width:100,height:50}])); const out=render(tree,{pages:new Map(),files,page:{path:'/t',title:'T'},listings:L}); plainText(tree);
  const o=isReal(offences(out.html)), b=imbalance(out.html); if(o.length||b) {console.log('BAD',o.slice(0,3),b,JSON.stringify(s),'\nTEXT',JSON.stringify(text)); fs.appendFileSync('/tmp/oracle/bad.txt',JSON.stringify(s)+'\n');}
  if(/\u0000/.test(out.html)) console.log('NUL',JSON.stringify(s));
 } }catch(e){console.log('THROW',e.stack.slice(0,400),JSON.stringify(s))}
 const ms=performance.now()-t0; if(ms>400&&slow++<5)console.log('SLOW',ms|0,JSON.stringify(s).slice(0,300)); }
console.log(n,'cases',slow,'slow');
