import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { TEST_ORIGIN } from "./variables";

/** A map is written as the list of its keys and values. */
type CborValue = number | string | Uint8Array | CborMap;
type CborMap = readonly (readonly [key: number | string, value: CborValue])[];

const HALF = 0x100;

/** Returns the head of a CBOR item (RFC 8949 §3): its type, and a length or number below 65536. */
function head(major: number, value: number): Buffer {
  const type = major * 0x20;
  if (value < 24) return Buffer.from([type + value]);
  if (value < HALF) return Buffer.from([type + 24, value]);
  return Buffer.from([type + 25, Math.floor(value / HALF), value % HALF]);
}

/** Encodes a value in CBOR, as far as authenticators need it. */
export function cbor(value: CborValue): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.length), ...value.flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** The public key of ES256 as COSE describes it (RFC 9053 §7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const [bytesX, bytesY] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return cbor([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytesX],
    [-3, bytesY],
  ]);
}

/** User present, user verified, and attested credential data included (WebAuthn Level 3 §6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** Where an answer is made: the page that asks, as the browser states it, and the site of the passkey. */
interface Place {
  origin?: string;
  rpId?: string;
  crossOrigin?: boolean;
  /** Whether the device has checked who uses it, such as by a fingerprint. */
  isVerified?: boolean;
}

/** A passkey with the parts of a browser that it needs, in software. `counter` is the number of uses; 0 forever for one that does not count. */
export class Authenticator {
  private readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  constructor(
    readonly id = text(randomBytes(32)),
    public counter = 0,
    public counts = true,
  ) {}

  /** Returns an exact copy, as malware makes it. */
  copy(): Authenticator {
    return Object.assign(new Authenticator(this.id, this.counter, this.counts), { keys: this.keys });
  }

  private clientData(type: string, challenge: string, { origin = TEST_ORIGIN, crossOrigin = false }: Place): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  private authenticatorData(
    rpId: string,
    { attested, isVerified = false }: { attested?: Buffer; isVerified?: boolean },
  ): Buffer {
    if (this.counts) this.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = PRESENT + (attested ? ATTESTED : 0) + (isVerified ? VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)]);
  }

  /** Returns what `startRegistration` returns for these options, as JSON. `attestation` is a format with its statement; none by default. */
  add(
    { challenge, rp }: Pick<PublicKeyCredentialCreationOptionsJSON, "challenge" | "rp">,
    place: Place = {},
    attestation: [format: string, statement: CborMap] = ["none", []],
  ): string {
    const { id } = this;
    const idBytes = Buffer.from(id, "base64url");
    const length = Buffer.from([Math.floor(idBytes.length / HALF), idBytes.length % HALF]);
    const attested = Buffer.concat([Buffer.alloc(16), length, idBytes, coseKey(this.keys.publicKey)]);
    const authData = this.authenticatorData(place.rpId ?? rp.id ?? "", { attested });
    const [format, statement] = attestation;
    const object: CborMap = [
      ["fmt", format],
      ["attStmt", statement],
      ["authData", authData],
    ];
    const clientDataJSON = text(this.clientData("webauthn.create", challenge, place));
    const response = { clientDataJSON, attestationObject: text(cbor(object)), transports: ["usb"] };
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }

  /** Returns what `startAuthentication` returns for these options, as JSON. */
  use(
    { challenge, rpId }: Pick<PublicKeyCredentialRequestOptionsJSON, "challenge" | "rpId">,
    place: Place = {},
  ): string {
    const { id } = this;
    const clientData = this.clientData("webauthn.get", challenge, place);
    const authenticatorData = this.authenticatorData(place.rpId ?? rpId ?? "", place);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), this.keys.privateKey);
    const response = {
      clientDataJSON: text(clientData),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    };
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }
}
