import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { checkpointFile } from "~/domain/audit/checkpoint-file.server";
import { getEnv } from "~/lib/env.server";

export interface Disk {
  folder: "data" | "audit";
  /** The part of the disk, from 0 to 1, that this process can still fill. */
  free: number;
}

/**
 * Returns the device of a folder and the part of it that is free, as `df` computes it: without what is reserved for root. Returns null when
 * the folder does not exist or its file system does not say how large it is.
 */
async function readDisk(path: string): Promise<{ device: number; free: number } | null> {
  try {
    const [{ dev }, { bavail, bfree, blocks }] = await Promise.all([stat(path), statfs(path)]);
    const usable = blocks - bfree + bavail;
    return usable > 0 ? { device: dev, free: bavail / usable } : null;
  } catch {
    return null;
  }
}

/**
 * Returns how full the disk of DATA_DIR is, and that of the folder of the audit checkpoints when it is another one. A disk of which this is
 * unknown is omitted.
 */
export async function listDisks(): Promise<Disk[]> {
  const [data, audit] = await Promise.all([getEnv().dataDir, dirname(checkpointFile())].map(readDisk));
  const disks: Disk[] = [];
  if (data) disks.push({ folder: "data", free: data.free });
  if (audit && audit.device !== data?.device) disks.push({ folder: "audit", free: audit.free });
  return disks;
}
