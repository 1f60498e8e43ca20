/** Shell scripts of escape attempts that connect to an address. `target` is JavaScript for it. */
export const connect = (target: string) =>
  `"$NODE" -e 'const s=require("node:net").connect(${target});s.on("connect",()=>process.exit(0));s.on("error",()=>process.exit(1));setTimeout(()=>process.exit(1),2000)'`;

/** Escapes if the server's greeting arrives. In an open network a connection ends at Holdfast, which is no escape. */
export const hear = (target: string) =>
  `"$NODE" -e 'const s=require("node:net").connect(${target});s.on("data",(d)=>process.exit(String(d).includes("canary")?0:1));s.on("error",()=>process.exit(1));s.on("close",()=>process.exit(1));setTimeout(()=>process.exit(1),2000)'`;

export const sendDatagram = `"$NODE" -e 'const s=require("node:dgram").createSocket("udp4");s.on("message",()=>process.exit(0));s.on("error",()=>process.exit(1));s.send("ping",+process.env.UDP_PORT,process.env.ADDRESS);setTimeout(()=>process.exit(1),1000)'`;
