// Thin helpers over WebGL2: programs, vertex arrays, textures, targets.

export class Program {
  constructor(gl, vertex, fragment) {
    this.gl = gl;
    this.program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(this.program));
    this.uniforms = new Map();
    const count = gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let k = 0; k < count; k++) {
      const { name, type } = gl.getActiveUniform(this.program, k);
      this.uniforms.set(name, { type, at: gl.getUniformLocation(this.program, name) });
    }
  }

  // Uses the program with these uniforms; names that it has not are passed over, textures get units in order.
  use(values) {
    const { gl } = this;
    gl.useProgram(this.program);
    let unit = 0;
    for (const [name, { type, at }] of this.uniforms) {
      const value = values[name];
      if (value === undefined) continue;
      switch (type) {
        case gl.FLOAT: gl.uniform1f(at, value); break;
        case gl.FLOAT_VEC3: gl.uniform3fv(at, value); break;
        case gl.FLOAT_VEC4: gl.uniform4fv(at, value); break;
        case gl.FLOAT_MAT4: gl.uniformMatrix4fv(at, false, value); break;
        case gl.UNSIGNED_INT: gl.uniform1ui(at, value); break;
        case gl.SAMPLER_2D: case gl.UNSIGNED_INT_SAMPLER_2D:
          gl.activeTexture(gl.TEXTURE0 + unit);
          gl.bindTexture(gl.TEXTURE_2D, value);
          gl.uniform1i(at, unit++);
          break;
        default: gl.uniform1i(at, value);
      }
    }
  }
}

const ATTRIBUTE_TYPES = new Map([[Float32Array, 'FLOAT'], [Uint32Array, 'UNSIGNED_INT'], [Uint8Array, 'UNSIGNED_BYTE']]);

// A vertex array: attributes [{ at, data, width, perInstance, normalised }] and an optional index. Data can be replaced.
export class Vertices {
  constructor(gl, attributes, index = null) {
    Object.assign(this, { gl, array: gl.createVertexArray(), buffers: new Map(), attributes });
    gl.bindVertexArray(this.array);
    for (const a of attributes) {
      this.buffers.set(a.at, gl.createBuffer());
      this.set(a.at, a.data);
      gl.enableVertexAttribArray(a.at);
      const type = gl[ATTRIBUTE_TYPES.get(a.data.constructor)];
      if (type === gl.FLOAT || a.normalised) gl.vertexAttribPointer(a.at, a.width, type, Boolean(a.normalised), 0, 0);
      else gl.vertexAttribIPointer(a.at, a.width, type, 0, 0);
      if (a.perInstance) gl.vertexAttribDivisor(a.at, 1);
    }
    if (index) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
    }
    gl.bindVertexArray(null);
  }

  set(at, data) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.get(at));
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  }

  bind() {
    this.gl.bindVertexArray(this.array);
  }
}

const TABLE_WIDTH = 2048;

// A texture as a long table of texels, 2048 in a row.
export class Table {
  constructor(gl, isFloat) {
    Object.assign(this, { gl, isFloat, texture: gl.createTexture(), rows: 0 });
  }

  // Room for `count` texels: an array to fill and give to `set`.
  room(count) {
    const numbers = 4 * TABLE_WIDTH * Math.max(1, Math.ceil(count / TABLE_WIDTH));
    return this.isFloat ? new Float32Array(numbers) : new Uint8Array(numbers);
  }

  set(data) {
    const { gl } = this;
    const rows = data.length / 4 / TABLE_WIDTH;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    const [inner, type] = this.isFloat ? [gl.RGBA32F, gl.FLOAT] : [gl.RGBA8, gl.UNSIGNED_BYTE];
    if (rows === this.rows) {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, TABLE_WIDTH, rows, gl.RGBA, type, data);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, inner, TABLE_WIDTH, rows, 0, gl.RGBA, type, data);
      plainSampling(gl);
      this.rows = rows;
    }
  }
}

export function plainSampling(gl) {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

// Textures to draw into: colour, depth, and numbers of bodies if wanted.
export class Target {
  constructor(gl, hasIds) {
    Object.assign(this, { gl, hasIds, width: 0, height: 0, frame: gl.createFramebuffer() });
  }

  resize(width, height) {
    if (width === this.width && height === this.height) return;
    const { gl } = this;
    for (const t of [this.colour, this.depth, this.id]) if (t) gl.deleteTexture(t);
    const texture = (inner, format, type) => {
      const t = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, t);
      gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, type, null);
      plainSampling(gl);
      return t;
    };
    this.colour = texture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE);
    this.depth = texture(gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT);
    this.id = this.hasIds ? texture(gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT) : null;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.colour, 0);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.depth, 0);
    if (this.hasIds) gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT1, gl.TEXTURE_2D, this.id, 0);
    gl.drawBuffers(this.hasIds ? [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1] : [gl.COLOR_ATTACHMENT0]);
    Object.assign(this, { width, height });
  }

  begin() {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.viewport(0, 0, this.width, this.height);
    gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0]);
    if (this.hasIds) gl.clearBufferuiv(gl.COLOR, 1, [0, 0, 0, 0]);
    gl.clearBufferfv(gl.DEPTH, 0, [1]);
  }
}
