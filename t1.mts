import { Sandbox } from '/work/main/dist/index.js';
const rule='version = 1\n[[exec]]\nname = "no-touch"\ndecision = "deny"\ncommands = ["touch"]\n';
const mode = process.argv[2];
await using s = await Sandbox.create({workspace:'/tmp/hk/ws', ...(mode==='rule'?{policies:undefined}:{})});
if(mode==='narrow'){ await s.policy.narrow(rule);}
await s.commands.run(['true']);
for(let k=0;k<2;k++){
let t=performance.now(); for(let i=0;i<10;i++) await s.commands.run(['true']); console.log('seq', ((performance.now()-t)/10).toFixed(1));
t=performance.now(); await Promise.all(Array.from({length:100},()=>s.commands.run(['true']))); console.log('conc100', ((performance.now()-t)/100).toFixed(1));}
