;; Which of many vectors, one behind the other, may have a product with one that reaches a floor. The numbers of the one are of 16
;; bits, those of the many of 8, of which a row has a multiple of sixteen, and products of 32: they are right as long as they fit. Each
;; row has a scale and an error. Writes the number of a row among these, and its product, of those where
;; product * scale * (scale of the row) + (error per error * (error of the row) + error of all) is not below the floor; returns how many.
(module
  (memory (import "rows" "memory") 1)
  (func (export "reach")
    (param $query i32) (param $row i32) (param $bytes i32) (param $count i32) (param $scales i32) (param $out i32)
    (param $scale f64) (param $perError f64) (param $always f64) (param $floor f64) (result i32)
    (local $at i32) (local $queryEnd i32) (local $number i32) (local $start i32) (local $product i32)
    (local $even v128) (local $odd v128)
    (local.set $start (local.get $out))
    (local.set $queryEnd (i32.add (local.get $query) (i32.shl (local.get $bytes) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $number) (local.get $count)))
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
        (local.set $product
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))
            (i32.add (i32x4.extract_lane 2 (local.get $even)) (i32x4.extract_lane 3 (local.get $even)))))
        (if
          (f64.ge
            (f64.add
              (f64.mul
                (f64.mul (f64.convert_i32_s (local.get $product)) (local.get $scale))
                (f64.promote_f32 (f32.load (local.get $scales))))
              (f64.add
                (f64.mul (local.get $perError) (f64.promote_f32 (f32.load offset=4 (local.get $scales))))
                (local.get $always)))
            (local.get $floor))
          (then
            (i32.store (local.get $out) (local.get $number))
            (i32.store offset=4 (local.get $out) (local.get $product))
            (local.set $out (i32.add (local.get $out) (i32.const 8)))))
        (local.set $scales (i32.add (local.get $scales) (i32.const 8)))
        (local.set $number (i32.add (local.get $number) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 3))))
