import { alike, each, flags, opaqueEffect } from '../notation.ts';
import type { ToolSpec } from '../types.ts';

/** Programs that overwrite devices, or the file systems on them, with any arguments. */
export const formatters: readonly ToolSpec[] = alike(
  'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.exfat mkfs.ntfs mkfs.f2fs mke2fs mkswap wipefs blkdiscard cfdisk debugfs lvremove vgremove pvremove badblocks',
  {
    options: flags('--version', '--help'),
    operands: each('text'),
    always: [opaqueEffect('inline-code', 'writes over a device or a file system')],
  },
);
