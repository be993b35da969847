// Which draw belongs to what. Two versions of Plimsoll under one scheme show a scenario the same weather, so that
// their results may be compared draw by draw.

/** Moves with every change after which a seed gives other draws: other keys, purposes, or ways to draw. */
export const KEY_SCHEME = 1;
