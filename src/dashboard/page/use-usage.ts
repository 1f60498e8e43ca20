import { useEffect, useRef, useState } from 'preact/hooks';
import type { UsageQuery, UsageReport } from '../usage/types.ts';
import { get } from './api.ts';
import { useNow } from './parts/basics.tsx';

export interface Usage {
  /** The one before, while another one is on its way. */
  readonly report: UsageReport | undefined;
  readonly state: 'there' | 'on-its-way';
  readonly error: unknown;
}

/** What calls of models came to. `version`: another one tells that something came. */
export function useUsage({ range, by }: UsageQuery, version: number): Usage {
  const [usage, setUsage] = useState<Usage>({ report: undefined, state: 'on-its-way', error: undefined });
  const query = `${new URLSearchParams({ range, by })}`;
  const minute = Math.floor(useNow(minuteLength) / minuteLength);
  const asked = useRef({ query: '', at: 0 });
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      asked.current = { query, at: Date.now() };
      const outcome = await get<UsageReport>(`/usage?${query}`).then((report) => ({ report, error: undefined }), (error: unknown) => ({ error }));
      if (isWanted) setUsage((before) => ({ ...before, ...outcome, state: 'there' }));
    };
    const isNew = asked.current.query !== query;
    if (isNew) setUsage((before) => ({ ...before, state: 'on-its-way' }));
    const timer = setTimeout(() => void ask(), isNew ? 0 : Math.max(0, asked.current.at + askEvery - Date.now()));
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query, version, minute]);
  return usage;
}

/** Milliseconds: a busy agent makes many calls, and nobody reads more often. */
const askEvery = 1000;
const minuteLength = 60_000;
