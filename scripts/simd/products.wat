;; Products of one vector with many that lie one behind the other, sixteen numbers at a time. The numbers of the one are of 16
;; bits, those of the many of 8, of which a row has a multiple of sixteen, and products of 32: they are right as long as they fit.
(module
  (memory (import "rows" "memory") 1)
  (func (export "products")
    (param $query i32) (param $row i32) (param $bytes i32) (param $count i32) (param $out i32)
    (local $at i32) (local $queryEnd i32) (local $outEnd i32) (local $even v128) (local $odd v128)
    (local.set $queryEnd (i32.add (local.get $query) (i32.shl (local.get $bytes) (i32.const 1))))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $at (local.get $query))
        (local.set $even (v128.const i32x4 0 0 0 0))
        (local.set $odd (v128.const i32x4 0 0 0 0))
        (loop $more
          (local.set $even
            (i32x4.add
              (local.get $even)
              (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load8x8_s (local.get $row)))))
          (local.set $odd
            (i32x4.add
              (local.get $odd)
              (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (v128.load8x8_s offset=8 (local.get $row)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (br_if $more (i32.lt_u (local.get $at) (local.get $queryEnd))))
        (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))
            (i32.add (i32x4.extract_lane 2 (local.get $even)) (i32x4.extract_lane 3 (local.get $even)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next)))))
