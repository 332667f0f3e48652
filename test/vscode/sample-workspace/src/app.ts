/** A boat that leaves its pier again and again through the day. Times are minutes since midnight. */
interface Boat {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly every: number;
  readonly sundays: boolean;
}

const boats: readonly Boat[] = [
  { name: 'Tern', first: 6 * 60, last: 22 * 60, every: 40, sundays: false },
  { name: 'Petrel', first: 7 * 60, last: 21 * 60, every: 60, sundays: true },
];

/** The boat's next departure at or after `now`, or undefined where the day's last one has left. */
function nextDeparture(boat: Boat, now: number): number | undefined {
  if (now <= boat.first) return boat.first;
  const departure = boat.first + Math.ceil((now - boat.first) / boat.every) * boat.every;
  return departure <= boat.last ? departure : undefined;
}

/** A line for the board at the pier. */
export function announce(now: Date): string {
  const minutes = now.getHours() * 60 + now.getMinutes();
  const departures = boats
    .filter((boat) => boat.sundays || now.getDay() !== 0)
    .map((boat) => ({ name: boat.name, at: nextDeparture(boat, minutes) }))
    .filter((departure): departure is { name: string; at: number } => departure.at !== undefined)
    .sort((a, b) => a.at - b.at);
  const next = departures[0];
  if (!next) return 'No more boats today.';
  const time = `${Math.floor(next.at / 60)}:${String(next.at % 60).padStart(2, '0')}`;
  return `The next boat is the ${next.name} at ${time}.`;
}
