/** SQLite needs nothing started. */
export default function setup(): void {}
