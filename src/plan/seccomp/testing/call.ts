/** `struct seccomp_data` without the instruction pointer: a filter's view of a call. */
export interface Call {
  readonly auditArch: number;
  /** 32 bits, unsigned. */
  readonly number: number;
  /** 64 bits each, unsigned. Absent ones are 0. */
  readonly args: readonly bigint[];
}

export function seccompData({ auditArch, number, args }: Call): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(0, number, true);
  view.setUint32(4, auditArch, true);
  args.forEach((value, index) => view.setBigUint64(16 + 8 * index, value, true));
  return view;
}
