import { connect, createServer, type Socket } from "node:net";

/** The network between the portal and a server. It can refuse connections or pass nothing through. */
export interface Relay {
  port: number;
  /** Passes everything through again. */
  open: () => void;
  /** Ends all connections and refuses new ones. */
  cut: () => void;
  /** Keeps all connections and accepts new ones, but passes nothing through. */
  swallow: () => void;
  close: () => Promise<void>;
}

/** Starts a relay to the port of a server on this machine. It listens on the address `host` of this machine. */
export async function startRelay(target: number, host = "127.0.0.1"): Promise<Relay> {
  const sockets = new Set<Socket>();
  let mode: "open" | "cut" | "swallow" = "open";
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => sockets.delete(socket));
  };
  const relay = createServer((socket) => {
    if (mode === "cut") return socket.destroy();
    keep(socket);
    const onward = connect(target, "127.0.0.1");
    keep(onward);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on("data", (bytes) => mode === "open" && to.write(bytes));
      from.once("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, host, resolve));
  const end = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (relay.address() as { port: number }).port,
    open: () => void (mode = "open"),
    cut: () => {
      mode = "cut";
      end();
    },
    swallow: () => void (mode = "swallow"),
    close: async () => {
      end();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
