// From the weather as it was written to what the world plays. Weather of strength 0 is none.

import type { ScenarioWeather } from './scenario.ts';
import type { WeatherSpec } from './weather-schema.ts';

export function compileWeather(spec: WeatherSpec | undefined): ScenarioWeather | undefined {
  const latency = felt(spec?.latency);
  const output = felt(spec?.output);
  const store = felt(spec?.store);
  if (latency === undefined && output === undefined && store === undefined) return undefined;
  return {
    latency: latency && { strength: latency.strength, lastsMs: latency.lasts, shared: latency.shared },
    output: output && { strength: output.strength, lastsJobs: output.lasts, shared: output.shared },
    store: store && { strength: store.strength, lastsMs: store.lasts },
  };
}

function felt<Part extends { readonly strength: number }>(part: Part | undefined): Part | undefined {
  return part !== undefined && part.strength > 0 ? part : undefined;
}
