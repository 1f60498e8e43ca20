/** Style of the page, whose hash its policy names. The shape of a mark says the same as its colour. */
export const pageStyle = `
:root { color-scheme: light dark; --calm: #6b7280; --asked: #b45309; --refused: #b91c1c; --alarm: #7e22ce; --line: #8884; }
@media (prefers-color-scheme: dark) { :root { --calm: #9ca3af; --asked: #fbbf24; --refused: #f87171; --alarm: #c084fc; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 0; }
h1, h3, dd { overflow-wrap: anywhere; }
h3, dd { font-family: ui-monospace, monospace; }
dl { margin: .25rem 0; } dl div { display: flex; gap: .75rem; } dt { flex: 0 0 8rem; color: var(--calm); } dd { margin: 0; white-space: pre-wrap; }
article { border-left: 4px solid var(--calm); padding: .25rem .75rem; margin: .75rem 0; }
article.asked { border-color: var(--asked); } article.refused { border-color: var(--refused); } article.alarm { border-color: var(--alarm); }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; fill: currentColor; }
svg line { stroke: var(--line); }
.mark.calm { fill: var(--calm); } .mark.asked { fill: var(--asked); } .mark.refused { fill: var(--refused); } .mark.alarm { fill: var(--alarm); }
`;
