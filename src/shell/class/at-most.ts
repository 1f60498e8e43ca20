import type { Opacity } from '../types.ts';
import type { CommandClass } from './command-class.ts';

/**
 * By default, a tool call that is not understood may do anything; these rows are the exceptions. `of: words`: an
 * unknown word, at any position. `of: tool`: the tool's specification, with any words. `of: known`: either. `of: all`:
 * options that are not known, too.
 */
interface AtMostRow {
  readonly tools: string;
  readonly class: CommandClass;
  readonly of: 'words' | 'tool' | 'known' | 'all';
}

/** Names as in the specifications; `*` is any one word. */
const rows: readonly AtMostRow[] = [
  {
    // None of their options does more than read. Programs with one that does (`sort -o`, `file -C`) may not be listed
    // here.
    tools:
      'ls,dir,vdir,stat,cat,tac,head,tail,wc,nl,od,base64,base32,basenc,sum,cksum,md5sum,sha1sum,sha224sum,sha256sum,sha384sum,sha512sum,b2sum,realpath,readlink,du,df,cut,expand,unexpand,fold,comm,join,paste,fmt,pr,tsort,basename,dirname,seq,sleep,factor,numfmt,nproc,tty,id,whoami,logname,hostid,arch,groups,uname,printenv,pathchk,who,users,tr,echo,grep,diff,cmp,strings,rev,column,hexdump,ps,pgrep,pidof,free,which,whereis,type,pwd,cd,pushd,popd,jq,shellcheck,getfacl,lsattr,namei,size,readelf,docker logs,docker network inspect,docker volume inspect,docker image inspect,docker container inspect,docker inspect,docker port,docker stats,docker history,docker diff,true,false,:,exit,return,shift,umask,ulimit',
    class: 'reads',
    of: 'words',
  },
  {
    tools:
      'rm,rmdir,unlink,mkfs,mkfs.ext2,mkfs.ext3,mkfs.ext4,mkfs.xfs,mkfs.btrfs,mkfs.vfat,mkfs.fat,mkfs.exfat,mkfs.ntfs,mkfs.f2fs,mke2fs,mkswap,wipefs,blkdiscard,fdisk,cfdisk,sfdisk,gdisk,sgdisk,parted,cryptsetup,debugfs,lvremove,vgremove,pvremove,mdadm,zpool,zfs,badblocks,hdparm,nvme,btrfs,tune2fs,dropdb',
    class: 'destroys',
    of: 'all',
  },
  {
    tools:
      'service,chkconfig,update-rc.d,umount,insmod,modprobe,rmmod,depmod,iptables,ip6tables,iptables-save,nft,ufw,firewall-cmd,useradd,adduser,usermod,userdel,groupadd,groupmod,passwd,chpasswd,vipw,visudo,swapon,swapoff,losetup,dmsetup,lvm,fsck,hwclock,timedatectl,hostnamectl,localectl,reboot,poweroff,halt,shutdown,init,telinit,kexec,ldconfig,update-alternatives,update-grub,grub-install,setenforce,semanage,setcap,setfacl,chattr,pivot_root,tc,bpftool,csrutil,spctl,defaults,dscl,networksetup,pmset,systemsetup,mount,sysctl,dmesg,ss,journalctl,ifconfig,loginctl terminate-session,ip * add,ip netns exec,systemctl start,kill,pkill,killall,date,hostname,tmux kill-session,byobu kill-session,nmcli,iw,renice,ipcrm,udevadm trigger,ethtool,xset,amixer,xrandr,fuser,auditctl,rfkill',
    class: 'changes the machine',
    of: 'all',
  },
  { tools: 'chroot', class: 'changes the machine', of: 'tool' },
  {
    // They ask the engine to end, name or fetch something, or to start a container again. The command names no program.
    tools:
      'docker start,docker restart,docker container start,docker container restart,docker stop,docker kill,docker rm,docker rmi,docker pause,docker unpause,docker rename,docker tag,docker pull,docker save,docker container stop,docker container kill,docker container rm,docker container prune,docker image rm,docker image prune,docker image pull,docker image tag,docker image save,docker network rm,docker network create,docker network prune,docker volume create,docker builder prune',
    class: 'changes the machine',
    of: 'known',
  },
  {
    tools:
      'docker volume rm,docker volume prune,docker system prune,gh * delete,glab * delete,npm unpublish,kubectl delete,helm uninstall',
    class: 'destroys',
    of: 'known',
  },
  {
    tools: 'gh * create,glab * create,npm deprecate',
    class: 'reaches out',
    of: 'known',
  },
  {
    tools: 'crontab,at,launchctl,loginctl enable-linger,systemctl enable',
    class: 'leaves the session behind',
    of: 'all',
  },
  {
    tools: 'systemd-run,tmux,byobu,tmux new-session,byobu new-session,screen',
    class: 'leaves the session behind',
    of: 'tool',
  },
];

const exact = new Map(rows.flatMap((row) => row.tools.split(',').map((tool) => [tool, row] as const)));

function rowOf(tool: string): AtMostRow | undefined {
  return exact.get(tool) ?? exact.get(tool.replace(/^(\S+) \S+ (\S+)$/u, '$1 * $2'));
}

/** Returns a reason of the tool's own specification with its upper bound, if that is less than anything. */
export function bounded(tool: string, opacity: Opacity): Opacity {
  if (opacity.atMost !== undefined) return opacity;
  const row = tool.startsWith('git ') ? git : rowOf(tool);
  return row !== undefined && counts[row.of](opacity) ? { ...opacity, atMost: row.class } : opacity;
}

/** The command line does not answer for the programs of a repository's configuration, as docs/commands.md says. */
const git: AtMostRow = { tools: 'git', class: 'reads', of: 'tool' };

const counts: Readonly<Record<AtMostRow['of'], (opacity: Opacity) => boolean>> = {
  words: ({ kind }) => kind === 'dynamic-word',
  tool: ({ concerns, kind }) => concerns === 'tool' && kind !== 'unknown-tool',
  known: ({ concerns, kind }) => kind === 'dynamic-word' || (concerns === 'tool' && kind !== 'unknown-tool'),
  all: ({ kind }) => kind !== 'budget',
};

/** Whether the tool's reasons bound its effects, or the commands below it show them. */
export function runsAreBounded(tool: string): boolean {
  return tool.startsWith('git ') || (rowOf(tool)?.of ?? 'words') !== 'words';
}
