import { getShippedBuild } from './test/manifest/shippedBuild';
(async()=>{ const b:any=await getShippedBuild(); for (const [k,n] of [['node','dist/extension.js'],['host','dist/host/main.cjs']]) console.log(n, b[k].outputFiles.find((f:any)=>f.path.endsWith(n)).contents.length); })();
