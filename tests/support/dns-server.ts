import { createSocket } from "node:dgram";

/** The records of a name. With a list of lists, each question for addresses gets the next one, and the last one stays. */
export interface Zone {
  txt?: readonly string[];
  a?: readonly string[] | readonly (readonly string[])[];
  cname?: string;
}

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;

const wireName = (name: string): Buffer =>
  Buffer.concat(
    [...name.split("."), ""].map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
  );

/** Reads the name of the question. Returns it with the offset of what follows. */
function readName(message: Buffer, start: number): [name: string, end: number] {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return [labels.join(".").toLowerCase(), at + 1];
}

const record = (name: string, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([wireName(name), fixed, data]);
};

const textData = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);

const isListOfLists = (all: NonNullable<Zone["a"]>): all is readonly (readonly string[])[] => Array.isArray(all[0]);

/** A small real DNS server (RFC 1035) on its own port of 127.0.0.1. It knows the names in `zones`. */
export class DnsServer {
  readonly zones: Record<string, Zone> = {};
  /** The domains for which, and for everything below them, it answers that it has failed (SERVFAIL). */
  readonly broken = new Set<string>();
  /** Whether it leaves questions without an answer. */
  isSilent = false;
  /** The questions that it was asked, such as `A example.com`. */
  readonly asked: string[] = [];
  private readonly socket = createSocket("udp4");
  private readonly turns = new Map<string, number>();

  /** Starts the server. Returns its address with its port, as `names.resolvers` takes it. */
  async start(): Promise<string> {
    this.socket.on("message", (message, { port, address }) => {
      const answer = this.answerTo(message);
      if (answer) this.socket.send(answer, port, address);
    });
    await new Promise<void>((resolve) => this.socket.bind(0, "127.0.0.1", resolve));
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop = (): Promise<void> => new Promise((resolve) => this.socket.close(() => resolve()));

  private addressesOf(name: string, all: NonNullable<Zone["a"]>): readonly string[] {
    if (!isListOfLists(all)) return all;
    const turn = this.turns.get(name) ?? 0;
    this.turns.set(name, turn + 1);
    return all[Math.min(turn, all.length - 1)] ?? [];
  }

  private recordsOf(name: string, type: number): Buffer[] {
    const zone = this.zones[name];
    if (zone?.cname !== undefined)
      return [record(name, TYPES.CNAME, wireName(zone.cname)), ...this.recordsOf(zone.cname, type)];
    if (type === TYPES.TXT) return (zone?.txt ?? []).map((text) => record(name, type, textData(text)));
    if (type !== TYPES.A) return [];
    const addresses = this.addressesOf(name, zone?.a ?? []);
    return addresses.map((address) => record(name, type, Buffer.from(address.split(".").map(Number))));
  }

  private answerTo(message: Buffer): Buffer | null {
    const [name, end] = readName(message, 12);
    const type = message.readUInt16BE(end);
    const typeName = Object.entries(TYPES).find(([, number]) => number === type)?.[0] ?? String(type);
    this.asked.push(`${typeName} ${name}`);
    if (this.isSilent) return null;
    const isBroken = [...this.broken].some((domain) => name === domain || name.endsWith(`.${domain}`));
    const records = isBroken ? [] : this.recordsOf(name, type);
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    // An authoritative answer; status 2 for a failure, 3 for a name that does not exist.
    header.writeUInt16BE(0x8580 | (isBroken ? 2 : this.zones[name] ? 0 : 3), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, message.subarray(12, end + 4), ...records]);
  }
}
