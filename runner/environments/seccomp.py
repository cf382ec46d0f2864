"""A seccomp filter as BPF, built without a library.

It refuses with EPERM what code in a repository has no use for and kernel exploits have: tracing and reading other
processes, mounts, new namespaces, keys, BPF, io_uring, performance counters, loading kernels. Numbers: the
kernel's ``unistd`` tables; layout: ``seccomp(2)``.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_REFUSED = {
    "x86_64": {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "mount": 165, "umount2": 166,
        "pivot_root": 155, "chroot": 161, "bpf": 321, "add_key": 248, "request_key": 249, "keyctl": 250,
        "unshare": 272, "setns": 308, "perf_event_open": 298, "userfaultfd": 323, "kexec_load": 246,
        "kexec_file_load": 320, "reboot": 169, "init_module": 175, "finit_module": 313, "delete_module": 176,
        "swapon": 167, "swapoff": 168, "acct": 163, "open_by_handle_at": 304, "quotactl": 179,
    },
    "aarch64": {
        "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "mount": 40, "umount2": 39,
        "pivot_root": 41, "chroot": 51, "bpf": 280, "add_key": 217, "request_key": 218, "keyctl": 219,
        "unshare": 97, "setns": 268, "perf_event_open": 241, "userfaultfd": 282, "kexec_load": 104,
        "kexec_file_load": 294, "reboot": 142, "init_module": 105, "finit_module": 273, "delete_module": 106,
        "swapon": 224, "swapoff": 225, "acct": 89, "open_by_handle_at": 265, "quotactl": 60,
    },
}  # fmt: skip
# The same on both: io_uring_setup/enter/register, move_mount … pidfd_getfd, mount_setattr.
_REFUSED_EVERYWHERE = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442)
_SOCKET = {"x86_64": 41, "aarch64": 198}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag
_X32 = 0x40000000
_AF_UNIX = 1

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCH, _ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data

SUPPORTED = platform.machine() in _AUDIT_ARCH


@cache
def program(*, refuse_sockets: bool = False, refuse_unix_sockets: bool = False) -> bytes:
    """The filter as an array of ``struct sock_filter`` for this machine.

    ``refuse_sockets``: no socket but of the Unix family; ``refuse_unix_sockets``: none of that family either.
    (``socketpair`` stays: it reaches nobody.)
    """
    machine = platform.machine()
    code = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":  # the x32 numbers would go around the table
        code += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERROR | errno.EPERM)]
    for number in (*_REFUSED[machine].values(), *_REFUSED_EVERYWHERE):
        code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | errno.EPERM)]
    # clone3 hides its flags in memory; ENOSYS makes the C library use clone, whose flags can be seen.
    code += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]
    code += [
        (_EQUAL, 0, 4, _CLONE[machine]),
        (_LOAD, 0, 0, _ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _ERROR | errno.EPERM),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if refuse_sockets and refuse_unix_sockets:
        code += [(_EQUAL, 0, 1, _SOCKET[machine]), (_RETURN, 0, 0, _ERROR | errno.EPERM)]
    elif refuse_sockets or refuse_unix_sockets:
        unix, other = (_ALLOW, _ERROR | errno.EPERM) if refuse_sockets else (_ERROR | errno.EPERM, _ALLOW)
        code += [
            (_EQUAL, 0, 4, _SOCKET[machine]),
            (_LOAD, 0, 0, _ARGUMENT),
            (_EQUAL, 0, 1, _AF_UNIX),
            (_RETURN, 0, 0, unix),
            (_RETURN, 0, 0, other),
        ]
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)
