// The clock: it plays, pauses, steps and seeks, and tells those who listen what to show.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

class Player {
  constructor(deals, listen) {
    this.end = Math.max(...deals.map((deal) => deal.end));
    const instants = deals.flatMap((deal) => [...deal.actions.map((action) => action.t), deal.score.t]);
    this.instants = [...new Set(instants)].sort((one, other) => one - other);
    this.listen = listen;
    this.time = 0;
    this.speed = 1;
    this.playing = false;
    this.frame = this.frame.bind(this);
  }

  tell() {
    this.listen(this.time, this.speed, this.playing);
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.end) this.time = 0;
    this.playing = true;
    this.last = null;
    requestAnimationFrame(this.frame);
    this.tell();
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  frame(now) {
    if (!this.playing) return;
    // A page that was in the background goes on where it was.
    const passed = this.last === null ? 0 : Math.min(now - this.last, 250);
    this.last = now;
    this.time = Math.min(this.end, this.time + passed * 1000 * this.speed);
    if (this.time >= this.end) this.playing = false;
    else requestAnimationFrame(this.frame);
    this.tell();
  }

  seek(time) {
    this.time = Math.max(0, Math.min(this.end, time));
    this.tell();
  }

  // To the next instant at which something took effect (1), or to the one before (-1).
  step(direction) {
    this.playing = false;
    const above = firstAbove(this.instants, this.time, (time) => time);
    const before = this.instants[above - 1] === this.time ? above - 2 : above - 1;
    const at = direction > 0 ? this.instants[above] ?? this.end : this.instants[before] ?? 0;
    this.seek(at);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell();
  }

  faster(direction) {
    const at = SPEEDS.indexOf(this.speed) + direction;
    if (SPEEDS[at]) this.setSpeed(SPEEDS[at]);
  }
}
