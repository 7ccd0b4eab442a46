import { EventEmitter, once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

export interface ReceivedMessage {
  from: string;
  to: string[];
  data: string;
}

/** The state of a session: the greeting, a command, or the message after DATA. */
type Step = "greeting" | "EHLO" | "MAIL" | "RCPT" | "DATA" | "message";

/** What the server does at a step instead of accepting: it sends a reply line, stays silent, or ends the connection. */
type Fault = `${number} ${string}` | "hang" | "drop";

const REPLIES: Record<Step, string> = {
  greeting: "220 test ESMTP",
  EHLO: "250 test",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go on",
  message: "250 taken",
};

/** A small real SMTP server (RFC 5321) on its own port. `faults` says at which steps it fails, and how. */
export class SmtpServer {
  /** The messages that it accepted, even if it did not confirm them. */
  readonly messages: ReceivedMessage[] = [];
  faults: Partial<Record<Step, Fault>> = {};
  private readonly steps = new EventEmitter();
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.serve(socket));

  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    return `smtp://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  /** Resolves when a session next reaches this step. */
  async reaches(step: Step): Promise<void> {
    await once(this.steps, step);
  }

  /** Ends all connections, like a server that crashes. */
  dropAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Sends this reply in every session, like a server that answers after a long silence. */
  answerAll(reply: string): void {
    for (const socket of this.sockets) socket.write(`${reply}\r\n`);
  }

  async stop(): Promise<void> {
    this.dropAll();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Answers a step. Returns whether the server accepted. */
  private answer(socket: Socket, step: Step): boolean {
    const fault = this.faults[step];
    this.steps.emit(step);
    if (fault === "drop") socket.destroy();
    else if (fault !== "hang") socket.write(`${fault ?? REPLIES[step]}\r\n`);
    return fault === undefined;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("error", () => undefined);
    let message: ReceivedMessage = { from: "", to: [], data: "" };
    let isData = false;
    let buffer = "";
    this.answer(socket, "greeting");
    socket.on("data", (chunk) => {
      buffer += chunk.toString("utf8");
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (isData && line !== ".") message.data += `${line.replace(/^\.\./, ".")}\r\n`;
        else if (isData) {
          isData = false;
          // A message is also accepted when the client does not learn of it, because the reply is late or lost.
          if (!/^\d/.test(this.faults.message ?? "")) this.messages.push(message);
          message = { from: "", to: [], data: "" };
          this.answer(socket, "message");
        } else if (/^(EHLO|HELO)/i.test(line)) this.answer(socket, "EHLO");
        else if (/^MAIL FROM:/i.test(line)) {
          message.from = line.slice(10);
          this.answer(socket, "MAIL");
        } else if (/^RCPT TO:/i.test(line)) {
          if (this.answer(socket, "RCPT")) message.to.push(line.slice(8));
        } else if (/^DATA/i.test(line)) isData = this.answer(socket, "DATA");
        else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else socket.write("250 ok\r\n");
      }
    });
  }
}

/** Provides an SMTP server for the test file and stops it afterwards. */
export function useSmtpServer(): SmtpServer {
  const server = new SmtpServer();
  afterAll(() => server.stop());
  return server;
}
