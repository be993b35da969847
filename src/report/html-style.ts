// How the page looks: on a desk, on a phone, in the dark, on paper. One style sheet, allowed by its hash.

import { DARK, PICTURE_WIDTH_PX } from './theme.ts';

/** A chart's colours are attributes, which any rule of a style sheet overrides. */
const DARK_CHARTS = DARK.map(
  ([colour, onDarkPage]) =>
    `.chart [fill="${colour}"]{fill:${onDarkPage}}.chart [stroke="${colour}"]{stroke:${onDarkPage}}`,
).join('\n');

export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--card:#fff;--ink:#1c1c1c;--faint:#555;--line:#d4d8dc;--shade:#f3f5f7;
--good:#00664b;--bad:#a63c00;--link:#00568a}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{max-width:${PICTURE_WIDTH_PX + 120}px;margin:0 auto;padding:1.5rem 1.5rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.25rem;line-height:1.3;margin:2.75rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:2rem 0 .5rem}
p,ul,ol{margin:.75rem 0}
ul,ol{padding-left:1.5rem}
li{margin:.4rem 0}
a{color:var(--link)}
a:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.verdict{font-size:1.15rem;font-weight:600;line-height:1.4;margin:0 0 1rem;padding:.75rem 1rem;
background:var(--shade);border-left:6px solid var(--bad)}
.verdict.fits{border-left-color:var(--good)}
.verdict b{color:var(--bad)}
.verdict.fits b{color:var(--good)}
nav{font-size:.9rem;margin:1rem 0}
nav ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.35rem 1rem}
nav li{margin:0}
.chart{margin:1.25rem 0;overflow-x:auto;background:var(--card)}
p,ul,ol,.verdict{max-width:${PICTURE_WIDTH_PX + 20}px}
.chart svg{display:block;width:100%;max-width:${PICTURE_WIDTH_PX}px;height:auto;font-kerning:normal}
.hint{display:none;color:var(--faint);font-size:.85rem;margin:.25rem 0 0}
.table{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.9rem;line-height:1.35;overflow-wrap:normal}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;
font-variant-numeric:tabular-nums;max-width:22rem}
td{white-space:nowrap}
thead th:not(.left){min-width:4.2rem}
thead th{vertical-align:bottom;font-weight:600;border-bottom:2px solid var(--line);color:var(--faint)}
tbody th{font-weight:400}
th.left,td.left{text-align:left;white-space:normal;min-width:5rem}
tbody tr:nth-child(even){background:var(--shade)}
code{font:.9rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--shade);margin:1rem 0;padding:.75rem 1rem;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:600px){
main{padding:1rem 1rem 3rem}
h1{font-size:1.3rem}
.verdict{font-size:1.05rem}
.hint{display:block}
table{font-size:.8rem}
th,td{padding:.3rem .4rem}
thead th:not(.left){min-width:0}
.chart:focus svg,.chart:focus-within svg{width:${PICTURE_WIDTH_PX}px;max-width:none}
}
@media screen and (prefers-color-scheme:dark){
:root{--paper:#14171a;--card:#1b1f24;--ink:#e6e6e6;--faint:#b4b4b4;--line:#3a4048;--shade:#20252b;
--good:#3cc79a;--bad:#ff9a5c;--link:#7cc4f5}
${DARK_CHARTS}
}
@media print{
@page{margin:14mm}
:root{color-scheme:light}
body{font-size:10.5pt}
main{max-width:none;padding:0}
nav,.hint{display:none}
h2,h3{break-after:avoid}
.chart,.table,tr,.verdict,pre,ol>li{break-inside:avoid}
p{orphans:3;widows:3}
.table,.chart{overflow:visible}
.chart svg{max-width:100%}
table{font-size:8pt;max-width:100%}
thead th:not(.left),th,td.left,td{min-width:0;padding:.2rem .35rem}
th.left,td.left{overflow-wrap:anywhere}
td.left{white-space:normal}
pre{font-size:8.5pt}
code{font-size:8.5pt}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;
